#include "core/trace/nsys/database.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/base/text.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"
#include "core/trace/nsys/read_nsys.h"
#include "core/trace/trace.h"

namespace warpwalk::trace::nsys {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t header_bytes = 100;
// A longer text or blob counts as damage.
constexpr int longest_value = 64 << 20;

// The header of an SQLite file (sqlite.org/fileformat2.html, 1.3).
struct FileHeader {
  std::uint64_t bytes = 0;  // of the whole file, as the header has them; 0 if it does not have them
  bool write_ahead = false;
};

std::uint32_t big_endian(std::string_view header, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(header[at + i]);
  return value;
}

FileHeader read_header(std::string_view header) {
  FileHeader out;
  out.write_ahead = header[18] == 2 || header[19] == 2;
  const std::uint32_t page = big_endian(header, 16, 2);
  // The number of pages is valid only if the version that wrote it made the last change.
  if (big_endian(header, 24, 4) == big_endian(header, 92, 4))
    out.bytes = std::uint64_t{big_endian(header, 28, 4)} * (page == 1 ? 65536 : page);
  return out;
}

base::Result<FileHeader> checked_header(std::string_view header, std::uint64_t bytes) {
  if (header.size() < header_bytes || !is_sqlite(header))
    return base::Error{fmt::format(
        "is cut off after {} bytes, inside the header of an SQLite database; copy or export it again", bytes)};
  const FileHeader out = read_header(header);
  if (out.bytes > bytes)
    return base::Error{
        fmt::format("is an SQLite database that is cut off: {} of its {} bytes are there; copy or export it again",
                    bytes, out.bytes)};
  return out;
}

// The path as SQLite reads it in a URI, with a query such as "immutable=1".
std::string uri_of(const fs::path& file, std::string_view query) {
  std::string uri = "file:";
  std::error_code ignored;
  for (const char c : fs::absolute(file, ignored).string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                       c == '.' || c == '-' || c == '_';
    if (plain)
      uri.push_back(c);
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return fmt::format("{}?{}", uri, query);
}

// What is wrong with a database that cannot be read at all.
base::Error unreadable(int code, std::string_view text) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {"is locked by another program, such as nsys export that still writes it; open it when that has finished"};
    case SQLITE_READONLY:
      return {
          "has a journal beside it: the program that wrote the database did not finish; export it again with "
          "nsys export --type sqlite"};
    default:
      return {fmt::format(
          "is an SQLite database that cannot be read ({}); copy it or export it again with nsys export --type sqlite",
          base::one_line(valid_utf8(text)))};
  }
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

std::string Database::last_error() const { return base::one_line(valid_utf8(sqlite3_errmsg(handle_.get()))); }

base::Result<void> Database::connect(const std::string& uri) {
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(uri.c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) return unreadable(code, handle == nullptr ? "no memory" : sqlite3_errmsg(handle));
  sqlite3_extended_result_codes(handle, 1);
  return {};
}

// Reads the schema, which is the first access to the file.
base::Result<void> Database::check() const {
  sqlite3* const handle = handle_.get();
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest_value);
  // The file is untrusted. The transaction keeps what other programs write meanwhile out.
  const int code = sqlite3_exec(handle,
                                "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; BEGIN; "
                                "SELECT name FROM sqlite_master LIMIT 1",
                                nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return unreadable(code, sqlite3_errmsg(handle));
  return {};
}

base::Result<Database> Database::open(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed))
    return base::Error{"is not a regular file, which SQLite needs; write the database to a file and open that"};
  const std::uint64_t bytes = fs::file_size(file, failed);
  std::array<char, header_bytes> first{};
  std::ifstream in(file, std::ios::binary);
  in.read(first.data(), first.size());
  const auto header = checked_header({first.data(), static_cast<std::size_t>(in.gcount())}, failed ? 0 : bytes);
  if (!header) return base::Error{header.error()};

  Database database;
  database.bytes_ = bytes;
  fs::path log = file;
  log += "-wal";
  const bool has_log = fs::exists(log, failed);
  const std::uint64_t log_bytes = has_log ? fs::file_size(log, failed) : 0;
  // Without a log, an immutable file is read without locks. A log needs its index, which is a third file:
  // "readonly_shm" reads the one that is there and makes none. All others are read with locks, to notice a program that
  // writes.
  const std::string immutable = uri_of(file, "immutable=1");
  const bool reads_log = has_log && log_bytes != 0 && !failed;
  const std::string uri = reads_log                        ? uri_of(file, "mode=ro&readonly_shm=1")
                          : has_log || header->write_ahead ? immutable
                                                           : uri_of(file, "mode=ro");
  base::Result<void> done = database.connect(uri);
  if (done) done = database.check();
  const int code = database.handle_ == nullptr ? 0 : sqlite3_extended_errcode(database.handle_.get());
  const bool no_index = (code & 0xff) == SQLITE_READONLY || (code & 0xff) == SQLITE_CANTOPEN;
  if (!done && reads_log && no_index) {
    database.unread_log_ = fmt::format(
        "{} ({} bytes) holds changes that are not read, because its index {}-shm is missing or unreadable; run "
        "sqlite3 FILE \"PRAGMA wal_checkpoint\" on a copy, and open that",
        log.filename().string(), log_bytes, file.filename().string());
    done = database.connect(immutable);
    if (done) done = database.check();
  } else if (!done && (code & 0xff) == SQLITE_IOERR) {  // a file system without locks
    done = database.connect(immutable);
    if (done) done = database.check();
  }
  if (!done) return base::Error{done.error()};
  if (reads_log && database.unread_log_.empty()) database.bytes_ += log_bytes;
  return database;
}

base::Result<Database> Database::open(std::string_view bytes) {
  const auto header = checked_header(bytes.substr(0, header_bytes), bytes.size());
  if (!header) return base::Error{header.error()};
  Database database;
  database.bytes_ = bytes.size();
  database.image_.assign(bytes.begin(), bytes.end());
  database.image_[18] = database.image_[19] = 1;  // SQLite has no write-ahead log in memory
  base::Result<void> done = database.connect("file::memory:");
  if (!done) return base::Error{done.error()};
  const auto size = static_cast<sqlite3_int64>(database.image_.size());
  const int code = sqlite3_deserialize(database.handle_.get(), "main", database.image_.data(), size, size,
                                       SQLITE_DESERIALIZE_READONLY);
  if (code != SQLITE_OK) return unreadable(code, database.last_error());
  done = database.check();
  if (!done) return base::Error{done.error()};
  return database;
}

bool Database::has_table(std::string_view table) const {
  // Virtual tables have no root page.
  Statement found(*this, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ?1");
  if (!found) return false;
  found.bind(1, table);
  return found.next();
}

std::vector<Database::Column> Database::columns(std::string_view table) const {
  std::vector<Column> all;
  if (!has_table(table)) return all;
  Statement rows(*this, fmt::format("PRAGMA table_info(\"{}\")", table));
  constexpr int name = 1, key = 5;  // of the pragma's result
  while (rows && rows.next())
    if (const auto column = rows.text(name)) all.push_back({std::string(*column), rows.integer(key) == 1});
  return all;
}

std::uint64_t Database::estimated_rows(std::string_view table) const {
  if (!has_table(table)) return 0;
  Statement last(*this, fmt::format("SELECT max(rowid) FROM \"{}\"", table));
  return last && last.next() ? static_cast<std::uint64_t>(std::max<std::int64_t>(last.integer(0), 0)) : 0;
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(const Database& database, const std::string& sql) : rows_left_(database.bytes()) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database.handle(), sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
}

void Statement::bind(int parameter, std::int64_t value) { sqlite3_bind_int64(statement_.get(), parameter, value); }

void Statement::bind(int parameter, std::string_view value) {
  sqlite3_bind_text(statement_.get(), parameter, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
}

bool Statement::next() {
  const int code = sqlite3_step(statement_.get());
  damaged_ = (code != SQLITE_ROW && code != SQLITE_DONE) || (code == SQLITE_ROW && rows_left_ == 0);
  if (code != SQLITE_ROW || damaged_) return false;
  --rows_left_;
  return true;
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  ++rows_left_;  // the one row that a search returned
}

std::int64_t Statement::integer(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER: return sqlite3_column_int64(statement_.get(), column);
    case SQLITE_FLOAT: {
      const double value = sqlite3_column_double(statement_.get(), column);
      const bool whole = std::abs(value) < 9e18 && std::floor(value) == value;
      return whole ? static_cast<std::int64_t>(value) : absent;
    }
    case SQLITE_TEXT: return parse_integer(text(column).value_or("")).value_or(absent);
    default: return absent;
  }
}

std::optional<std::string_view> Statement::text(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_TEXT) return {};
  const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (bytes == nullptr) return {};
  return std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

Statement select(const Database& database, std::string_view table, std::span<const std::string_view> columns) {
  const std::vector<Database::Column> there = database.columns(table);
  if (there.empty()) return {database, {}};
  std::string list;
  for (const std::string_view column : columns) {
    const bool has = std::ranges::find(there, column, &Database::Column::name) != there.end();
    list += fmt::format("{}{}", list.empty() ? "" : ", ", has ? fmt::format("\"{}\"", column) : "NULL");
  }
  return {database, fmt::format("SELECT {} FROM \"{}\"", list, table)};
}

}  // namespace warpwalk::trace::nsys

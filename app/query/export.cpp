#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "app/query/database_state.h"
#include "app/query/table.h"

namespace warpwalk::query {
namespace {

/// SQLite's application_id of the files that are written here: "wwlk".
constexpr std::uint32_t application_id = 0x77776c6b;
/// The layout of a database file: https://www.sqlite.org/fileformat.html
constexpr std::string_view database_magic("SQLite format 3\0", 16);
constexpr std::size_t application_id_offset = 68, header_bytes = 100;

bool is_exported(const std::filesystem::path& file) {
  std::array<char, header_bytes> header{};
  std::ifstream in(file, std::ios::binary);
  in.read(header.data(), header.size());
  if (in.gcount() == 0) return true;  // an empty file holds nothing that could be lost
  if (!in || std::string_view(header.data(), database_magic.size()) != database_magic) return false;
  std::uint32_t id = 0;  // big-endian
  for (std::size_t i = 0; i < 4; ++i) id = id << 8 | static_cast<unsigned char>(header[application_id_offset + i]);
  return id == application_id;
}

/// A file that is created under a new name and removed unless it is renamed.
class Aside {
 public:
  explicit Aside(const std::filesystem::path& target) {
    for (int n = 0; n < 100; ++n) {
      path_ = target;
      path_ += n == 0 ? std::string(".partial") : fmt::format(".{}.partial", n);
      // "x": two programs that write the same target must not share a file.
      if (std::FILE* const made = std::fopen(path_.c_str(), "wbx"); made != nullptr) {
        std::fclose(made);
        return;
      }
      if (errno != EEXIST) break;
    }
    error_ = errno;
    path_.clear();
  }
  ~Aside() {
    std::error_code ignored;
    if (path_.empty()) return;
    std::filesystem::remove(path_, ignored);
    for (const char* const of : {"-journal", "-wal", "-shm"}) std::filesystem::remove(path_.string() + of, ignored);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

  /// Empty if it could not be created; error() is then the system's number.
  const std::filesystem::path& path() const { return path_; }
  int error() const { return error_; }
  std::error_code rename_to(const std::filesystem::path& target) {
    std::error_code code;
    std::filesystem::rename(path_, target, code);
    if (!code) path_.clear();
    return code;
  }

 private:
  std::filesystem::path path_;
  int error_ = 0;
};

base::Result<void> execute(DatabaseState& state, const std::filesystem::path& file, const std::string& statement) {
  const int code = sqlite3_exec(state.connection, statement.c_str(), nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return {};
  if (code == SQLITE_INTERRUPT) return base::Error{fmt::format("{}: stopped; nothing was written", file.string())};
  return base::Error{fmt::format("{}: cannot be written: {}", file.string(), sqlite3_errmsg(state.connection))};
}

base::Result<void> copy_tables(DatabaseState& state, const std::filesystem::path& file) {
  // The file is not there until it is complete, so that a journal would only take time.
  for (const char* const pragma : {"PRAGMA out.journal_mode = OFF", "PRAGMA out.synchronous = OFF"})
    if (auto done = execute(state, file, pragma); !done) return done;
  if (auto done = execute(state, file, fmt::format("PRAGMA out.application_id = {}", application_id)); !done)
    return done;
  if (auto done = execute(state, file, "BEGIN"); !done) return done;
  for (const Table& table : tables()) {
    if (auto done = execute(state, file, create_statement(table, "out")); !done) return done;
    const std::string copy = fmt::format("INSERT INTO out.{0} SELECT * FROM main.{0}", table.name);
    if (auto done = execute(state, file, copy); !done) return done;
  }
  return execute(state, file, "COMMIT");
}

base::Result<void> attach(DatabaseState& state, const std::filesystem::path& file, const std::filesystem::path& aside) {
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(state.connection, "ATTACH ? AS out", -1, &statement, nullptr);
  if (code == SQLITE_OK) {
    sqlite3_bind_text(statement, 1, aside.c_str(), -1, SQLITE_TRANSIENT);
    code = sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  if (code == SQLITE_DONE) return {};
  return base::Error{fmt::format("{}: cannot be written: {}", file.string(), sqlite3_errmsg(state.connection))};
}

}  // namespace

base::Result<void> check_exportable(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  if (std::filesystem::is_directory(status))
    return base::Error{fmt::format("{}: is a folder; give a file name to write to", file.string())};
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return base::Error{fmt::format("{}: is not a regular file; a database cannot be written to it", file.string())};
  if (std::filesystem::exists(status) && !is_exported(file))
    return base::Error{fmt::format(
        "{}: exists and is not a database that warpwalk exported; delete it, or choose another name", file.string())};
  const Aside aside(file);
  if (aside.path().empty())
    return base::Error{fmt::format("{}: cannot be written: {}", file.string(), std::strerror(aside.error()))};
  return {};
}

base::Result<void> write_database(DatabaseState& state, const std::filesystem::path& file) {
  if (auto may = check_exportable(file); !may) return may;
  std::error_code ignored;
  const std::filesystem::path target =
      std::filesystem::exists(file, ignored) ? std::filesystem::canonical(file, ignored) : file;
  Aside aside(target);
  if (aside.path().empty())
    return base::Error{fmt::format("{}: cannot be written: {}", file.string(), std::strerror(aside.error()))};
  sqlite3_set_authorizer(state.connection, nullptr, nullptr);
  if (auto attached = attach(state, file, aside.path()); !attached) return attached;
  auto copied = copy_tables(state, file);
  if (!copied) sqlite3_exec(state.connection, "ROLLBACK", nullptr, nullptr, nullptr);
  const int detached = sqlite3_exec(state.connection, "DETACH out", nullptr, nullptr, nullptr);
  if (!copied) return copied;
  if (detached != SQLITE_OK)
    return base::Error{fmt::format("{}: cannot be written: {}", file.string(), sqlite3_errmsg(state.connection))};
  if (const std::error_code code = aside.rename_to(target))
    return base::Error{
        fmt::format("{}: cannot be renamed to its final name: {}", file.string(), std::strerror(code.value()))};
  return {};
}

}  // namespace warpwalk::query

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace warpwalk::trace::nsys {

/// An SQLite database, opened for reading only: neither the file nor anything beside it is written. All reads see the
/// state at the time of opening. Errors do not name the file.
class Database {
 public:
  static base::Result<Database> open(const std::filesystem::path& file);
  /// A database in memory; the bytes are copied.
  static base::Result<Database> open(std::string_view bytes);

  bool has_table(std::string_view table) const;
  struct Column {
    std::string name;
    bool is_key = false;  ///< rows are found by it quickly
  };
  /// Empty if there is no such table.
  std::vector<Column> columns(std::string_view table) const;
  /// An upper bound of the number of rows of an intact table, found without reading it; 0 if there is none.
  std::uint64_t estimated_rows(std::string_view table) const;

  /// Size in bytes, with that of a write-ahead log.
  std::uint64_t bytes() const { return bytes_; }
  /// Set if a write-ahead log lies beside the file but cannot be read without writing: what is missing, why, the
  /// remedy.
  const std::string& unread_log() const { return unread_log_; }
  /// SQLite's text for the last error, on one line.
  std::string last_error() const;
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };

  base::Result<void> connect(const std::string& uri);
  base::Result<void> check() const;

  std::vector<unsigned char> image_;  // of a database in memory; outlives the connection
  std::unique_ptr<sqlite3, Close> handle_;
  std::uint64_t bytes_ = 0;
  std::string unread_log_;
};

/// A prepared statement. It returns at most as many rows as the database has bytes: a damaged one can lead to the same
/// page again and again, but each row of an intact one needs a byte.
class Statement {
 public:
  /// Leaves it empty if the statement cannot be prepared.
  Statement(const Database& database, const std::string& sql);

  explicit operator bool() const { return statement_ != nullptr; }
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, std::string_view value);
  /// Goes to the next row. False at the end, and at damage.
  bool next();
  /// Whether next() ended because the database is damaged.
  bool damaged() const { return damaged_; }
  /// Prepares the statement for other parameters.
  void reset();

  /// A column as an integer. `absent` if it is null or not an integer.
  std::int64_t integer(int column) const;
  /// A column that holds text, else nullopt. The text may have any bytes, and is valid until next().
  std::optional<std::string_view> text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::uint64_t rows_left_ = 0;
  bool damaged_ = false;
};

/// A statement that reads these columns of a table, in this order. Columns that the table lacks are null. Empty if
/// there is no such table; a view is not one, because what it computes may not end.
Statement select(const Database& database, std::string_view table, std::span<const std::string_view> columns);

}  // namespace warpwalk::trace::nsys

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/query/cell.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpwalk::query {

/// Receives the result of a statement.
class Rows {
 public:
  virtual ~Rows() = default;
  /// The names of the columns, once and first.
  virtual void columns(const std::vector<std::string>& names) = 0;
  /// Returns false to stop.
  virtual bool row(const std::vector<Value>& values) = 0;
};

/// A trace as a database of SQLite (table.h has its tables). Only reading statements are accepted; names are compared
/// byte by byte, as SQLite does.
class Database {
 public:
  /// The trace must outlive the database and must not change.
  static base::Result<std::unique_ptr<Database>> open(const trace::Trace& trace);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Whether to give up; asked now and then while a statement runs.
  void set_stop(std::function<bool()> stop);

  /// Runs one statement. The error is SQLite's message with a hint in one line, and does not name the file.
  base::Result<void> run(std::string_view statement, Rows& rows);

  /// Writes all tables to a database file, aside and then renamed. Refuses to replace a file that is not empty and was
  /// not written by this function.
  base::Result<void> write(const std::filesystem::path& file);

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Whether write() would replace this file, or could not write there. Called before long work; changes nothing.
base::Result<void> check_exportable(const std::filesystem::path& file);

}  // namespace warpwalk::query

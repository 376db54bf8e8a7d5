#include "app/query/database.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "app/query/database_state.h"
#include "app/query/module.h"
#include "core/base/nearest.h"
#include "app/query/table.h"

namespace warpwalk::query {
namespace {

constexpr std::string_view only_reading =
    "only SELECT statements are accepted; --export writes a database that can be changed";

// What a statement may do: read tables, call functions, look at the schema.
int authorize(void*, int action, const char* first, const char* second, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION:
      return second != nullptr && std::string_view(second) == "load_extension" ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA: {
      const std::string_view pragma = first == nullptr ? "" : first;
      for (const char* const one : {"table_info", "table_xinfo", "table_list", "function_list", "database_list"})
        if (pragma == one) return SQLITE_OK;
      return SQLITE_DENY;
    }
    default: return SQLITE_DENY;
  }
}

int ask_to_stop(void* state) {
  const auto& stop = static_cast<DatabaseState*>(state)->stop;
  return stop && stop() ? 1 : 0;
}

/// Finalizes a statement.
struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

/// The name that a message of SQLite ends with: "no such table: kernel".
std::string_view name_in(std::string_view message, std::string_view begin) {
  return message.starts_with(begin) ? message.substr(begin.size()) : std::string_view();
}

/// "did you mean kernels?; " for a table or column that there is not, if one has nearly its name; else empty.
std::string guess(std::string_view message) {
  std::vector<std::string_view> names;
  std::string_view wrong = name_in(message, "no such table: ");
  const bool is_table = !wrong.empty();
  if (!is_table) wrong = name_in(message, "no such column: ");
  if (wrong.empty()) return {};
  wrong.remove_prefix(wrong.rfind('.') == std::string_view::npos ? 0 : wrong.rfind('.') + 1);
  for (const Table& table : tables()) {
    if (is_table) names.push_back(table.name);
    for (const Column& column : table.columns)
      if (!is_table) names.push_back(column.name);
  }
  const std::string_view near = base::nearest_name(wrong, names);
  return near.empty() ? "" : fmt::format("did you mean {}? ", near);
}

Value value_at(sqlite3_stmt* statement, int column) {
  Value value;
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      value.kind = Value::Kind::integer;
      value.integer = sqlite3_column_int64(statement, column);
      break;
    case SQLITE_FLOAT:
      value.kind = Value::Kind::real;
      value.real = sqlite3_column_double(statement, column);
      break;
    case SQLITE_TEXT:
    case SQLITE_BLOB: {
      const bool text = sqlite3_column_type(statement, column) == SQLITE_TEXT;
      value.kind = text ? Value::Kind::text : Value::Kind::blob;
      const void* const bytes = text ? static_cast<const void*>(sqlite3_column_text(statement, column))
                                     : sqlite3_column_blob(statement, column);
      if (bytes != nullptr)
        value.bytes = {static_cast<const char*>(bytes),
                       static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
      break;
    }
    default: break;
  }
  return value;
}

/// Prepares the first statement of a text; null if it holds none. `rest`: what follows it.
base::Result<Statement> prepare(sqlite3* connection, std::string_view text, std::string_view& rest) {
  sqlite3_stmt* made = nullptr;
  const char* tail = nullptr;
  const int code = sqlite3_prepare_v2(connection, text.data(), static_cast<int>(text.size()), &made, &tail);
  Statement statement(made);
  if (code == SQLITE_AUTH) return base::Error{std::string(only_reading)};
  if (code != SQLITE_OK) {
    const std::string message = sqlite3_errmsg(connection);
    if (message.ends_with("may not be modified")) return base::Error{std::string(only_reading)};
    return base::Error{
        fmt::format("{}; {}warpwalk query --schema lists the tables and their columns", message, guess(message))};
  }
  rest = text.substr(static_cast<std::size_t>(tail - text.data()));
  return statement;
}

/// Whether a text holds no statement: only spaces and comments.
bool is_blank(sqlite3* connection, std::string_view text) {
  std::string_view rest;
  while (!text.empty()) {
    const auto statement = prepare(connection, text, rest);
    if (!statement || *statement != nullptr || rest.size() == text.size()) return statement && *statement == nullptr;
    text = rest;
  }
  return true;
}

}  // namespace

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::~Database() = default;

base::Result<std::unique_ptr<Database>> Database::open(const trace::Trace& trace) {
  auto state = std::make_unique<State>(trace);
  if (sqlite3_open_v2(":memory:", &state->connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) != SQLITE_OK)
    return base::Error{"SQLite cannot be started; close other programs to free memory"};
  if (auto added = add_tables(state->connection, state->source); !added) return base::Error{added.error()};
  constexpr int longest_text = 256 << 20;
  sqlite3_limit(state->connection, SQLITE_LIMIT_LENGTH, longest_text);
  constexpr int operations_between_asking = 100'000;  // of SQLite's machine: a millisecond or two
  sqlite3_progress_handler(state->connection, operations_between_asking, ask_to_stop,
                           static_cast<DatabaseState*>(state.get()));
  return std::unique_ptr<Database>(new Database(std::move(state)));
}

void Database::set_stop(std::function<bool()> stop) { state_->stop = std::move(stop); }

base::Result<void> Database::run(std::string_view text, Rows& rows) {
  sqlite3* const connection = state_->connection;
  constexpr std::size_t longest_statement = 1'000'000;  // SQLite's own limit
  if (text.size() > longest_statement) return base::Error{"the statement is longer than 1,000,000 bytes"};
  sqlite3_set_authorizer(connection, authorize, nullptr);
  std::string_view rest;
  auto prepared = prepare(connection, text, rest);
  if (!prepared) return base::Error{prepared.error()};
  sqlite3_stmt* const statement = prepared->get();
  if (statement == nullptr) return base::Error{"the statement is empty; give one, e.g. \"SELECT name FROM kernels\""};
  if (!is_blank(connection, rest)) return base::Error{"there is more than one statement; give one"};
  if (sqlite3_stmt_readonly(statement) == 0) return base::Error{std::string(only_reading)};
  if (sqlite3_bind_parameter_count(statement) > 0)
    return base::Error{"parameters (?, :name) have no values here; write the values into the statement"};

  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char* const name = sqlite3_column_name(statement, i);
    names.emplace_back(name == nullptr ? "" : name);
  }
  rows.columns(names);
  std::vector<Value> values(names.size());
  for (;;) {
    const int code = sqlite3_step(statement);
    if (code == SQLITE_DONE) return {};
    if (code == SQLITE_INTERRUPT) return base::Error{"stopped before the end"};
    if (code == SQLITE_NOMEM) return base::Error{"out of memory; ask for less, or close other programs"};
    if (code != SQLITE_ROW) return base::Error{sqlite3_errmsg(connection)};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_at(statement, static_cast<int>(i));
    if (!rows.row(values)) return {};
  }
}

base::Result<void> Database::write(const std::filesystem::path& file) { return write_database(*state_, file); }

}  // namespace warpwalk::query

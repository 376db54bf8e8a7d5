#include "app/query/module.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <sqlite3.h>

#include "app/query/column_index.h"
#include "app/query/table.h"

// The interface between SQLite and the tables (https://www.sqlite.org/vtab.html). Exceptions must not pass through
// SQLite, which is C: the functions that can throw catch them.
namespace warpwalk::query {
namespace {

/// How a cursor finds its rows; `column` is what SQLite compares. xBestIndex stores it in idxNum.
struct Plan {
  static constexpr int equal = 1, from = 2, to = 4;
  static constexpr int rising = 8, falling = 16;  // all rows, by the value of the column
  int how = 0;                                    // 0: all rows
  int column = 0;

  int number() const { return column * 32 + how; }
  static Plan of(int number) { return {number % 32, number / 32}; }
};

/// SQLite's own members come first, as its interface wants it.
struct VirtualTable : sqlite3_vtab {
  const Table* table = nullptr;
  Source* source = nullptr;
  std::map<int, ColumnIndex> indexes;                // by column
  std::map<int, int> searches;                       // by column: how often it was searched
  std::map<int, std::vector<std::uint32_t>> orders;  // by column: rows_by_value()
};

struct Cursor : sqlite3_vtab_cursor {
  std::size_t rows = 0;
  std::size_t row = 0;
  // A search of all rows: those whose key is in the range.
  const Column* searched = nullptr;
  KeyRange range;
  // A search in an index; `at` is null without one.
  const ColumnIndex::Entry* at = nullptr;
  const ColumnIndex::Entry* end = nullptr;
  // All rows in an order, forwards or backwards; null: by number.
  const std::vector<std::uint32_t>* order = nullptr;
  bool backwards = false;

  /// The number of the row that it stands on.
  std::size_t current() const {
    if (order == nullptr) return row;
    return (*order)[backwards ? rows - 1 - row : row];
  }
};

VirtualTable& table_of(sqlite3_vtab* table) { return *static_cast<VirtualTable*>(table); }
Cursor& cursor_of(sqlite3_vtab_cursor* cursor) { return *static_cast<Cursor*>(cursor); }

template <class Work>
int guarded(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception&) {
    return SQLITE_ERROR;
  }
}

// CREATE VIRTUAL TABLE name: the table's name is the third argument.
int connect(sqlite3* connection, void* source, int, const char* const* arguments, sqlite3_vtab** made, char**) {
  return guarded([&] {
    const auto found = std::ranges::find(tables(), std::string_view(arguments[2]), &Table::name);
    if (found == tables().end()) return SQLITE_ERROR;
    std::string declaration = "CREATE TABLE x(";
    for (const Column& column : found->columns)
      declaration += fmt::format("{}{} {}", declaration.back() == '(' ? "" : ", ", column.name, name_of(column.type));
    if (const int code = sqlite3_declare_vtab(connection, (declaration + ")").c_str()); code != SQLITE_OK) return code;
    auto table = std::make_unique<VirtualTable>();
    table->table = &*found;
    table->source = static_cast<Source*>(source);
    *made = table.release();
    return SQLITE_OK;
  });
}

int disconnect(sqlite3_vtab* table) {
  delete &table_of(table);
  return SQLITE_OK;
}

/// The constraints on one column that can find rows, by their numbers in SQLite's list; -1: none.
struct Constraints {
  int equal = -1, from = -1, to = -1;
};

std::map<int, Constraints> usable_constraints(const Table& table, sqlite3_index_info* info) {
  std::map<int, Constraints> by_column;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& one = info->aConstraint[i];
    if (one.usable == 0 || one.iColumn < 0) continue;
    const ColumnType type = table.columns[static_cast<std::size_t>(one.iColumn)].type;
    if (type == ColumnType::real) continue;
    if (type == ColumnType::text && std::string_view(sqlite3_vtab_collation(info, i)) != "BINARY") continue;
    Constraints& here = by_column[one.iColumn];
    if (one.op == SQLITE_INDEX_CONSTRAINT_EQ) here.equal = i;
    if (type == ColumnType::text) continue;  // the order of hashes is not that of texts
    if (one.op == SQLITE_INDEX_CONSTRAINT_GT || one.op == SQLITE_INDEX_CONSTRAINT_GE) here.from = i;
    if (one.op == SQLITE_INDEX_CONSTRAINT_LT || one.op == SQLITE_INDEX_CONSTRAINT_LE) here.to = i;
  }
  return by_column;
}

/// What SQLite's planner expects of a plan. The figures are estimates; only their order matters.
struct Expected {
  double cost = 0;
  std::int64_t rows = 0;
};

Expected expected_of(const Table& table, const Constraints& by, int column, double all) {
  if (by.equal >= 0) {
    if (column == 0 && table.id != Table::Id::none) return {2, 1};
    return {10 + all / 200, static_cast<std::int64_t>(1 + all / 200)};
  }
  if (by.from >= 0 && by.to >= 0) return {10 + all / 8, static_cast<std::int64_t>(1 + all / 8)};
  if (by.from >= 0 || by.to >= 0) return {10 + all / 3, static_cast<std::int64_t>(1 + all / 3)};
  return {10 + all, static_cast<std::int64_t>(1 + all)};
}

int best_index(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  return guarded([&] {
    VirtualTable& table = table_of(vtab);
    const auto all = static_cast<double>(table.table->rows(*table.source));
    Plan plan;
    Constraints chosen;
    Expected best = expected_of(*table.table, {}, -1, all);
    for (const auto& [column, by] : usable_constraints(*table.table, info)) {
      const Expected here = expected_of(*table.table, by, column, all);
      if (here.cost >= best.cost) continue;
      best = here;
      plan.column = column;
      chosen = by;
    }
    int argument = 0;
    const auto use = [&](int constraint, int bound) {
      if (constraint < 0) return;
      info->aConstraintUsage[constraint].argvIndex = ++argument;
      plan.how |= bound;
    };
    use(chosen.equal, Plan::equal);
    if (chosen.equal < 0) {
      use(chosen.from, Plan::from);
      use(chosen.to, Plan::to);
    }
    // GROUP BY and DISTINCT of one column: SQLite would sort all rows.
    if (plan.how == 0 && info->nOrderBy == 1 && info->aOrderBy[0].iColumn >= 0 && sqlite3_vtab_distinct(info) != 0) {
      plan.column = info->aOrderBy[0].iColumn;
      plan.how = info->aOrderBy[0].desc != 0 ? Plan::falling : Plan::rising;
      info->orderByConsumed = 1;
    }
    info->idxNum = plan.number();
    info->estimatedCost = best.cost;
    info->estimatedRows = best.rows;
    const bool unique = chosen.equal >= 0 && plan.column == 0 && table.table->id != Table::Id::none;
    if (unique) info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
    return SQLITE_OK;
  });
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** made) {
  return guarded([&] {
    *made = std::make_unique<Cursor>().release();
    return SQLITE_OK;
  });
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete &cursor_of(cursor);
  return SQLITE_OK;
}

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// Narrows the range by one bound. Returns false if the bound cannot be compared by key, e.g. a text with a column of
/// numbers: then all rows are searched, and SQLite compares.
bool narrow(KeyRange& range, int bound, ColumnType type, sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: {
      if (type == ColumnType::text) return false;
      const std::int64_t number = sqlite3_value_int64(value);
      if (bound != Plan::to) range.from = number;
      if (bound != Plan::from) range.to = number;
      return true;
    }
    case SQLITE_FLOAT: {
      if (type == ColumnType::text) return false;
      const double number = sqlite3_value_double(value);
      if (bound != Plan::to) range.from = key_of(std::floor(number));
      if (bound != Plan::from) range.to = key_of(std::ceil(number));
      return true;
    }
    case SQLITE_TEXT: {
      if (type != ColumnType::text || bound != Plan::equal) return false;
      const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(value));
      range.from = range.to = key_of(std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value))));
      return true;
    }
    case SQLITE_NULL:  // nothing equals NULL, or is more or less
      range = {most, least};
      return true;
    default: return false;
  }
}

bool is_wanted(const VirtualTable& table, const Cursor& cursor) {
  const auto key = key_of(cursor.searched->value(*table.source, cursor.row), cursor.searched->type);
  return key && *key >= cursor.range.from && *key <= cursor.range.to;
}

void skip_unwanted(const VirtualTable& table, Cursor& cursor) {
  if (cursor.searched == nullptr) return;
  while (cursor.row < cursor.rows && !is_wanted(table, cursor)) ++cursor.row;
}

// The first search of a column reads all rows. A second one, as in a join, makes an index.
void start_search(VirtualTable& table, Cursor& cursor, int column, KeyRange range) {
  if (column == 0 && table.table->id == Table::Id::row) {
    const auto limit = static_cast<std::int64_t>(cursor.rows);
    const std::int64_t first = std::clamp<std::int64_t>(range.from, 0, limit);
    cursor.row = static_cast<std::size_t>(first);
    cursor.rows = static_cast<std::size_t>(range.to < first ? first : std::min(range.to, limit - 1) + 1);
    return;
  }
  const Column& of = table.table->columns[static_cast<std::size_t>(column)];
  auto found = table.indexes.find(column);
  if (found == table.indexes.end() && table.searches[column]++ > 0)
    found = table.indexes.try_emplace(column, of, *table.source, cursor.rows).first;
  if (found == table.indexes.end()) {
    cursor.searched = &of;
    cursor.range = range;
    return;
  }
  std::tie(cursor.at, cursor.end) = found->second.find(range);
  cursor.row = cursor.at < cursor.end ? cursor.at->second : cursor.rows;
  if (cursor.at >= cursor.end) cursor.at = nullptr;
}

int filter(sqlite3_vtab_cursor* base, int number, const char*, int, sqlite3_value** values) {
  return guarded([&] {
    VirtualTable& table = table_of(base->pVtab);
    Cursor& cursor = cursor_of(base);
    cursor.rows = table.table->rows(*table.source);
    cursor.row = 0;
    cursor.searched = nullptr;
    cursor.at = cursor.end = nullptr;
    cursor.order = nullptr;
    const Plan plan = Plan::of(number);
    if (plan.how == 0) return SQLITE_OK;
    const Column& column = table.table->columns[static_cast<std::size_t>(plan.column)];
    if ((plan.how & (Plan::rising | Plan::falling)) != 0) {
      auto found = table.orders.find(plan.column);
      if (found == table.orders.end())
        found = table.orders.emplace(plan.column, rows_by_value(column, *table.source, cursor.rows)).first;
      cursor.order = &found->second;
      cursor.backwards = plan.how == Plan::falling;
      return SQLITE_OK;
    }
    const ColumnType type = column.type;
    KeyRange range = {least, most};
    int argument = 0;
    for (const int bound : {Plan::equal, Plan::from, Plan::to})
      if ((plan.how & bound) != 0 && !narrow(range, bound, type, values[argument++])) return SQLITE_OK;
    start_search(table, cursor, plan.column, range);
    skip_unwanted(table, cursor);
    return SQLITE_OK;
  });
}

int next(sqlite3_vtab_cursor* base) {
  return guarded([&] {
    Cursor& cursor = cursor_of(base);
    if (cursor.at != nullptr) {
      ++cursor.at;
      cursor.row = cursor.at < cursor.end ? cursor.at->second : cursor.rows;
      return SQLITE_OK;
    }
    ++cursor.row;
    skip_unwanted(table_of(base->pVtab), cursor);
    return SQLITE_OK;
  });
}

int at_end(sqlite3_vtab_cursor* base) {
  const Cursor& cursor = cursor_of(base);
  return cursor.row >= cursor.rows ? 1 : 0;
}

/// Hands a cell to SQLite.
struct Answer {
  sqlite3_context* context;
  void operator()(std::monostate) const { sqlite3_result_null(context); }
  void operator()(std::int64_t value) const { sqlite3_result_int64(context, value); }
  void operator()(double value) const { sqlite3_result_double(context, value); }
  void operator()(std::string_view text) const {  // lives as long as the trace
    sqlite3_result_text64(context, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  void operator()(const std::string& text) const {
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
};

int column_value(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  return guarded([&] {
    const VirtualTable& table = table_of(base->pVtab);
    const Column& of = table.table->columns[static_cast<std::size_t>(column)];
    std::visit(Answer{context}, of.value(*table.source, cursor_of(base).current()));
    return SQLITE_OK;
  });
}

int row_number(sqlite3_vtab_cursor* base, sqlite3_int64* number) {
  *number = static_cast<sqlite3_int64>(cursor_of(base).current());
  return SQLITE_OK;
}

constexpr sqlite3_module table_module = [] {
  sqlite3_module module{};
  module.iVersion = 1;
  module.xCreate = connect;
  module.xConnect = connect;
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xDestroy = disconnect;
  module.xOpen = open_cursor;
  module.xClose = close_cursor;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = at_end;
  module.xColumn = column_value;
  module.xRowid = row_number;
  return module;
}();

}  // namespace

base::Result<void> add_tables(sqlite3* connection, Source& source) {
  if (sqlite3_create_module_v2(connection, "trace", &table_module, &source, nullptr) != SQLITE_OK)
    return base::Error{fmt::format("SQLite: {}", sqlite3_errmsg(connection))};
  for (const Table& table : tables()) {
    const std::string statement = fmt::format("CREATE VIRTUAL TABLE {} USING trace", table.name);
    if (sqlite3_exec(connection, statement.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      return base::Error{fmt::format("SQLite: {}", sqlite3_errmsg(connection))};
  }
  return {};
}

}  // namespace warpwalk::query

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/query/table.h"

namespace warpwalk::query {

std::span<const Table> tables() {
  static const std::vector<Table> all = [] {
    std::vector<Table> list;
    for (const auto part : {gpu_tables(), op_tables(), time_tables(), slice_tables(), memory_tables()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

std::string_view name_of(ColumnType type) {
  switch (type) {
    case ColumnType::integer: return "INTEGER";
    case ColumnType::real: return "REAL";
    case ColumnType::text: return "TEXT";
  }
  return "";
}

std::string tables_text() {
  std::string out;
  for (const Table& table : tables()) out += fmt::format("{:<15}{}\n", table.name, table.meaning);
  return out;
}

std::string schema_text(std::string_view only) {
  std::string out;
  for (const Table& table : tables()) {
    if (!only.empty() && table.name != only) continue;
    out += fmt::format("{}{}: {}\n", out.empty() ? "" : "\n", table.name, table.meaning);
    for (const Column& column : table.columns)
      out += fmt::format("  {:<20}{:<9}{}\n", column.name, name_of(column.type), column.meaning);
  }
  return out;
}

std::string create_statement(const Table& table, std::string_view schema) {
  std::string out =
      fmt::format("CREATE TABLE {}{}{} ( -- {}\n", schema, schema.empty() ? "" : ".", table.name, table.meaning);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    const bool key = i == 0 && table.id != Table::Id::none;
    out += fmt::format("  {} {}{}{} -- {}\n", column.name, name_of(column.type), key ? " PRIMARY KEY" : "",
                       i + 1 < table.columns.size() ? "," : "", column.meaning);
  }
  return out + ")";
}

}  // namespace warpwalk::query

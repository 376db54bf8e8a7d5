#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/query/cell.h"

namespace warpwalk::query {

class Source;

enum class ColumnType : std::uint8_t { integer, real, text };

struct Column {
  std::string_view name;  ///< with its unit: "duration_ns"
  ColumnType type = ColumnType::integer;
  std::string_view meaning;
  Cell (*value)(Source& source, std::size_t row) = nullptr;
};

struct Table {
  /// Whether a column "id" identifies each row; `row` if it is the row's number, which makes looking it up immediate.
  enum class Id : std::uint8_t { none, column, row };

  std::string_view name;
  std::string_view meaning;
  std::span<const Column> columns;  ///< "id", if there is one, is the first
  Id id = Id::none;
  std::size_t (*rows)(Source& source) = nullptr;
};

// Each file tables_*.cpp has the tables of one subject.
std::span<const Table> slice_tables();   ///< slices, python, annotations, tracks
std::span<const Table> gpu_tables();     ///< kernels, launches, copies, gpus
std::span<const Table> op_tables();      ///< ops, steps
std::span<const Table> time_tables();    ///< gaps, gap_parts, path
std::span<const Table> memory_tables();  ///< memory, driver_memory

/// All tables, in the order in which they are listed.
std::span<const Table> tables();

/// "INTEGER", "REAL" or "TEXT".
std::string_view name_of(ColumnType type);

/// The names of the tables with their meanings, one a line.
std::string tables_text();
/// The columns of all tables, or of the one of this name: name, type and meaning. Empty if there is no such table.
std::string schema_text(std::string_view table = {});
/// CREATE TABLE, with the meanings of the columns as comments. `schema`: the name of the database it is in.
std::string create_statement(const Table& table, std::string_view schema = {});

}  // namespace warpwalk::query

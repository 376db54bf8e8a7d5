#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/query/source.h"
#include "app/query/table.h"

namespace warpwalk::query {

/// What a column is compared with to find rows. SQLite compares again, so that rows too many do no harm.
struct KeyRange {
  std::int64_t from = 0, to = 0;  ///< both included
};

/// The key of a cell: a number its whole part, a text its hash; nullopt for NULL. A text in a column of numbers is
/// after all numbers, as SQLite orders them.
std::optional<std::int64_t> key_of(const Cell& cell, ColumnType type);
std::int64_t key_of(std::string_view text);
/// The number without its fraction, within the range of the type.
std::int64_t key_of(double number);

/// The rows of a table in the order of one of its columns. Rows without a key are not in it.
class ColumnIndex {
 public:
  ColumnIndex(const Column& column, Source& source, std::size_t rows);
  using Entry = std::pair<std::int64_t, std::uint32_t>;  ///< key and row
  /// The entries in the range, by key, then row.
  std::pair<const Entry*, const Entry*> find(KeyRange range) const;

 private:
  std::vector<Entry> entries_;
};

/// All rows of a table by the value of one column, as SQLite orders values: NULL, numbers, texts by their bytes. Rows
/// of the same value are next to each other; only the different values are sorted, so that it takes a pass over the
/// rows where SQLite would sort them all.
std::vector<std::uint32_t> rows_by_value(const Column& column, Source& source, std::size_t rows);

}  // namespace warpwalk::query

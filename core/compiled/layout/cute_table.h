#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/compiled/layout/cute_layout.h"

namespace warpwalk::compiled {

/// The offsets of a layout as rows and columns.
struct CuteTable {
  /// Rows are the first mode, columns the others, the second one fastest; a layout of one mode is one row.
  std::vector<std::vector<std::int64_t>> offsets;
  std::int64_t elements = 0, cosize = 0;
  /// Elements that share their offset with an earlier one, and offsets below the cosize that no element has.
  std::int64_t repeated = 0, unused = 0;
};

/// The table of a layout of at most `most_table_elements`; of a larger one, an error of one line.
base::Result<CuteTable> cute_table(const CuteLayout& layout);
constexpr std::int64_t most_table_elements = 65536;

/// The table as text, with the numbers of rows and columns.
std::string text_of(const CuteTable& table);

}  // namespace warpwalk::compiled

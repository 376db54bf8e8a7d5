#include "core/compiled/layout/cute_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpwalk::compiled {

base::Result<CuteTable> cute_table(const CuteLayout& layout) {
  CuteTable table;
  table.elements = layout.elements();
  table.cosize = layout.cosize();
  if (table.elements > most_table_elements)
    return base::Error{
        fmt::format("the layout has {} elements; a table has at most {}", table.elements, most_table_elements)};
  const std::vector<std::int64_t> shape = layout.shape();
  const bool one_mode = shape.size() < 2;
  const std::int64_t rows = one_mode ? 1 : shape.front();
  table.offsets.resize(static_cast<std::size_t>(rows));
  std::vector<std::int64_t> at(shape.size(), 0);
  for (std::int64_t i = 0; i < table.elements; ++i) {
    std::int64_t left = i;
    for (std::size_t mode = 0; mode < shape.size(); ++mode) {
      at[mode] = left % shape[mode];
      left /= shape[mode];
    }
    table.offsets[static_cast<std::size_t>(one_mode ? 0 : at.front())].push_back(layout.offset(at));
  }
  std::vector<std::int64_t> all;
  for (const std::vector<std::int64_t>& row : table.offsets) all.insert(all.end(), row.begin(), row.end());
  std::ranges::sort(all);
  const auto again = std::ranges::unique(all);
  table.repeated = static_cast<std::int64_t>(again.size());
  table.unused = table.cosize - (table.elements - table.repeated);
  return table;
}

std::string text_of(const CuteTable& table) {
  std::size_t width = 1;
  for (const std::vector<std::int64_t>& row : table.offsets)
    for (const std::int64_t offset : row) width = std::max(width, fmt::formatted_size("{}", offset));
  const std::size_t columns = table.offsets.empty() ? 0 : table.offsets.front().size();
  if (columns > 0) width = std::max(width, fmt::formatted_size("{}", columns - 1));
  const std::size_t first = fmt::formatted_size("{}", table.offsets.size());
  std::string text = std::string(first, ' ') + " |";
  for (std::size_t column = 0; column < columns; ++column) text += fmt::format(" {:>{}}", column, width);
  text += '\n' + std::string(first, '-') + "-+" + std::string(columns * (width + 1), '-') + '\n';
  for (std::size_t row = 0; row < table.offsets.size(); ++row) {
    text += fmt::format("{:>{}} |", row, first);
    for (const std::int64_t offset : table.offsets[row]) text += fmt::format(" {:>{}}", offset, width);
    text += '\n';
  }
  return text;
}

}  // namespace warpwalk::compiled

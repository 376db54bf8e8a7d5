#include "core/records/record_table.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace warpwalk::records {
namespace {

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t comma = std::min(line.find(',', from), line.size());
    cells.push_back(line.substr(from, comma - from));
    from = comma + 1;
  }
  return cells;
}

}  // namespace

base::Result<std::vector<std::vector<std::string_view>>> record_rows(std::string_view text, std::string_view header) {
  std::vector<std::vector<std::string_view>> rows;
  const std::size_t columns = cells_of(header).size();
  std::size_t number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string_view line = text.substr(from, end - from);
    from = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 1) {
      if (line != header) return base::Error{fmt::format("line 1: expected {}", header)};
      continue;
    }
    if (line.empty()) continue;
    rows.push_back(cells_of(line));
    if (rows.back().size() != columns) return base::Error{fmt::format("line {}: expected {} cells", number, columns)};
  }
  return rows;
}

std::optional<double> number_in(std::string_view cell) {
  double value = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || stop != cell.data() + cell.size() || !std::isfinite(value) || value < 0) return {};
  return value;
}

}  // namespace warpwalk::records

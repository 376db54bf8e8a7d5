#include "app/runs/run_values.h"

#include <algorithm>
#include <functional>

namespace warpwalk::runs {
namespace {

// `known`: elements that `element` can give, from the first on.
RunValues values_of(const ops::Sizes& sizes, std::size_t known,
                    const std::function<std::string(std::size_t)>& element) {
  std::size_t total = 1;
  for (const std::int64_t size : sizes) total *= static_cast<std::size_t>(std::max<std::int64_t>(size, 0));
  RunValues values;
  if (total == 0) return values;
  const std::size_t columns = sizes.empty() ? 1 : static_cast<std::size_t>(sizes.back());
  const std::size_t rows = total / columns;
  const std::size_t shown_columns = std::min(columns, max_value_columns);
  values.more_columns = shown_columns < columns;
  for (std::size_t row = 0; row < std::min(rows, max_value_rows); ++row) {
    if (row * columns + shown_columns > known) break;
    std::vector<std::string>& line = values.rows.emplace_back();
    for (std::size_t i = 0; i < shown_columns; ++i) line.push_back(element(row * columns + i));
  }
  values.more_rows = values.rows.size() < rows;
  return values;
}

}  // namespace

RunValues first_values(ops::DType dtype, const ops::Sizes& sizes, std::span<const std::uint8_t> bytes) {
  const std::size_t step = bytes_of(dtype);
  return values_of(sizes, bytes.size() / step,
                   [&](std::size_t i) { return text_of(dtype, load_bits(dtype, bytes.data() + i * step)); });
}

RunValues first_values(const ops::Sizes& sizes, const std::vector<std::string>& elements) {
  return values_of(sizes, elements.size(), [&](std::size_t i) { return elements[i]; });
}

}  // namespace warpwalk::runs

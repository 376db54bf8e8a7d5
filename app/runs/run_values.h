#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ops/tensor/dtype.h"
#include "core/ops/tensor/geometry.h"

namespace warpwalk::runs {

/// The first elements of a result, as text. A tensor of more than two dimensions is shown as rows of its last one.
struct RunValues {
  std::vector<std::vector<std::string>> rows;
  bool more_rows = false;     ///< the tensor has more rows
  bool more_columns = false;  ///< its rows have more elements
};

inline constexpr std::size_t max_value_rows = 3, max_value_columns = 6;

/// The first rows of a contiguous tensor.
RunValues first_values(ops::DType dtype, const ops::Sizes& sizes, std::span<const std::uint8_t> bytes);
/// The same if only the first elements are known, in row-major order.
RunValues first_values(const ops::Sizes& sizes, const std::vector<std::string>& elements);

}  // namespace warpwalk::runs

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/story/facts/launch/input_values.h"

namespace warpwalk::story {

/// The matrix product of the followed kernel, a (m × k) @ b (k × n), and its division into tiles.
struct MatrixProduct {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t tile_rows = 0, tile_columns = 0;
  std::int64_t depth = 1;             ///< of one step along k
  std::int64_t across = 0, down = 0;  ///< tiles
  /// How the tiles are known. But for `code`, blocks are assumed to take the tiles in order.
  enum class Rule : std::uint8_t {
    code,           ///< the kernel is one of kernels/
    name,           ///< the kernel's name has the rows and columns of a tile
    columns_first,  ///< the same, columns before rows, as libraries for matrices by columns do
    grid,           ///< the size that divides the result into as many tiles as the grid has blocks
  };
  Rule rule = Rule::name;
  std::vector<InputValues> inputs;  ///< a and b; empty if their elements are not known

  /// The sum of an element after each of its k products, as the kernel adds them up: one after the other, each
  /// multiply-add rounded once to float32. Empty if the elements are not known or of another type.
  std::vector<float> sums(std::int64_t row, std::int64_t column) const;
};

/// The product without its tiles; nullopt unless the followed kernel computes one product of two recorded shapes.
std::optional<MatrixProduct> untiled_product(const Trace& trace, const Walk& walk);

/// The same with its tiles; nullopt unless the grid is that of the tiles, at least two. Their size is that of the
/// kernel's own code or is in its name; of a launch that was recorded with its memory also the power of two that
/// divides the result into as many tiles as the grid has blocks, across and down (Rule::grid).
std::optional<MatrixProduct> matrix_product(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::story

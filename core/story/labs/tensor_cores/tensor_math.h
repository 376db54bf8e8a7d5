#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpwalk::story {

/// The matrices of one mma.sync.m16n8k16: D = A B + C. Elements are examples in [-1, 1), rounded to the input format;
/// C is zero.
struct TensorTile {
  static constexpr int m = 16, n = 8, k = 16;
  std::array<std::array<double, k>, m> a{};
  std::array<std::array<double, n>, k> b{};

  explicit TensorTile(std::string_view format);
  /// The sum after each product of an element, exact: 16 products of two FP16 numbers fit into an FP64.
  std::array<double, k> sums(int row, int column) const;
};

enum class TensorMatrix : std::uint8_t { a, b, d };
constexpr std::size_t tensor_matrices = 3;

/// The place of an element of the tile: lane, register, and position in the register (which holds two FP16 numbers for
/// A and B).
struct FragmentPlace {
  int lane = 0, reg = 0, half = 0;
};
int rows_of(TensorMatrix matrix);
int columns_of(TensorMatrix matrix);
int fragment_registers(TensorMatrix matrix);
FragmentPlace place_of(TensorMatrix matrix, int row, int column);

/// A dot product of `length` example numbers in different precisions.
struct DotPrecision {
  double exact = 0;        ///< of the numbers as FP64 has them
  double rounded = 0;      ///< of the numbers rounded to the input format, without another error
  double tensor_fp32 = 0;  ///< by a tensor core of compute capability 9.0, sum kept in FP32
  double tensor_fp16 = 0;  ///< the same, sum kept in FP16
};
/// `format`: FP16, BF16 or FP8 E4M3. The tensor core takes 16 products at a time.
DotPrecision dot_precision(std::string_view format, std::int64_t length);

/// A row in 2:4 sparsity: of each four elements, the two largest magnitudes.
struct SparseRow {
  std::vector<double> kept;    ///< half as many as the elements
  std::vector<int> positions;  ///< of each kept one in its group, 0 to 3: two bits of metadata
};
SparseRow sparse_row(const std::vector<double>& row);

/// Example number i of a sequence, in [-1, 1).
double example_number(std::uint64_t sequence, std::int64_t i);

}  // namespace warpwalk::story

#include "core/story/labs/tensor_cores/tensor_math.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/gpu/alu/floating/number_format.h"
#include "core/gpu/alu/matrix/mma_float.h"
#include "core/gpu/alu/matrix/mma_fragment.h"
#include "core/run/launch/generate.h"

namespace warpwalk::story {
namespace {

namespace alu = gpu::alu;

constexpr std::uint64_t sequence_a = 1, sequence_b = 2;

}  // namespace

double example_number(std::uint64_t sequence, std::int64_t i) {
  return run::random_element(ops::DType::f64, sequence, static_cast<std::uint64_t>(i));
}

TensorTile::TensorTile(std::string_view format) {
  const alu::NumberFormat& inputs = alu::number_format(format);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < k; ++j)
      a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          alu::kept(inputs, example_number(sequence_a, i * k + j));
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < n; ++j)
      b[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          alu::kept(inputs, example_number(sequence_b, i * n + j));
}

std::array<double, TensorTile::k> TensorTile::sums(int row, int column) const {
  std::array<double, k> all{};
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = sum += a[static_cast<std::size_t>(row)][i] * b[i][static_cast<std::size_t>(column)];
  return all;
}

int rows_of(TensorMatrix) { return 16; }
int columns_of(TensorMatrix matrix) { return matrix == TensorMatrix::a ? 16 : 8; }
int fragment_registers(TensorMatrix matrix) { return matrix == TensorMatrix::b ? 2 : 4; }

FragmentPlace place_of(TensorMatrix matrix, int row, int column) {
  const int halves = matrix == TensorMatrix::d ? 1 : 2;  // D is kept in FP32
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < fragment_registers(matrix); ++reg)
      for (int half = 0; half < halves; ++half) {
        const alu::Position at = matrix == TensorMatrix::a   ? alu::position_in_a(TensorTile::m, 2, lane, reg, half)
                                 : matrix == TensorMatrix::b ? alu::place_in_b(TensorTile::n, 2, lane, reg, half)
                                                             : alu::place_in_c(TensorTile::m, 1, lane, reg, half);
        if (at.row == row && at.column == column) return {lane, reg, half};
      }
  return {};
}

DotPrecision dot_precision(std::string_view format, std::int64_t length) {
  const alu::NumberFormat& inputs = alu::number_format(format);
  const alu::Dot dot = alu::dot_for(gpu::host_isa());
  const int product_bits = 2 * inputs.layout.fraction_bits;
  DotPrecision result;
  std::uint32_t fp32 = 0, fp16 = 0;
  for (std::int64_t from = 0; from < length; from += alu::max_float_k) {
    alu::Line a, b;
    for (int i = 0; i < std::min<std::int64_t>(alu::max_float_k, length - from); ++i) {
      const double x = example_number(sequence_a, from + i), y = example_number(sequence_b, from + i);
      const std::uint64_t x_bits = alu::nearest(inputs, x), y_bits = alu::nearest(inputs, y);
      result.exact += x * y;
      result.rounded += alu::value_of(inputs, x_bits) * alu::value_of(inputs, y_bits);
      a.set(i, inputs.layout, x_bits);
      b.set(i, inputs.layout, y_bits);
    }
    fp32 = dot(product_bits, a, b, alu::format_f32, fp32, alu::format_f32);
    fp16 = dot(product_bits, a, b, alu::format_f16, fp16, alu::format_f16);
  }
  result.tensor_fp32 = std::bit_cast<float>(fp32);
  result.tensor_fp16 = alu::value_of(alu::number_format("FP16"), fp16);
  return result;
}

SparseRow sparse_row(const std::vector<double>& row) {
  SparseRow sparse;
  for (std::size_t group = 0; group + 4 <= row.size(); group += 4) {
    std::array<int, 4> order = {0, 1, 2, 3};
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](int i) { return std::abs(row[group + static_cast<std::size_t>(i)]); });
    std::sort(order.begin(), order.begin() + 2);
    for (const int i : {order[0], order[1]}) {
      sparse.kept.push_back(row[group + static_cast<std::size_t>(i)]);
      sparse.positions.push_back(i);
    }
  }
  return sparse;
}

}  // namespace warpwalk::story

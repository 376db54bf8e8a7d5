#include "core/story/facts/launch/matrix_product.h"

#include <cmath>

#include "core/analysis/memory/tensor_layout.h"
#include "core/analysis/names/kernel_name.h"
#include "core/trace/link.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t own_tile = 16;         // of matmul_tiled and mm, in all three directions
constexpr std::int64_t most_tiles = 1 << 14;  // more cannot be drawn apart
constexpr std::int64_t longest_sum = 1 << 16;

std::int64_t tiles(std::int64_t size, std::int64_t tile) { return (size + tile - 1) / tile; }

// Whether the kernel is one of kernels/: blocks take the tiles row by row.
bool is_own(const trace::KernelRecord* record) {
  return record != nullptr && (record->entry == "matmul_tiled" || record->entry.starts_with("mm_"));
}

// The tile if the grid has exactly one block for each: kernels of row-major libraries count columns in the second
// number of their name, those of cuBLAS, which sees the transposed matrices, in the first.
bool take_tile(const trace::KernelDetail& kernel, std::int64_t rows, std::int64_t columns, MatrixProduct& product) {
  if (rows <= 0 || columns <= 0) return false;
  product.tile_rows = rows;
  product.tile_columns = columns;
  product.down = tiles(product.m, rows);
  product.across = tiles(product.n, columns);
  const std::int64_t count = product.down * product.across;
  if (count < 2 || count > most_tiles || kernel.grid[2] != 1) return false;
  return (kernel.grid[0] == product.across && kernel.grid[1] == product.down) ||
         (kernel.grid[0] == count && kernel.grid[1] == 1);
}

// The power of two that divides a side of the result into so many tiles; 0 if there is none.
std::int64_t size_of_tile(std::int64_t side, std::int64_t count) {
  for (std::int64_t size = 1; size <= side; size *= 2)
    if (tiles(side, size) == count) return size;
  return 0;
}

}  // namespace

std::vector<float> MatrixProduct::sums(std::int64_t row, std::int64_t column) const {
  std::vector<float> sums;
  if (inputs.size() != 2 || inputs[0].dtype != ops::DType::f32 || inputs[1].dtype != ops::DType::f32) return sums;
  sums.reserve(static_cast<std::size_t>(k));
  float sum = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    sum = std::fma(static_cast<float>(inputs[0].at(row, i)), static_cast<float>(inputs[1].at(i, column)), sum);
    sums.push_back(sum);
  }
  return sums;
}

std::optional<MatrixProduct> untiled_product(const Trace& trace, const Walk& walk) {
  const trace::KernelDetail* const kernel = kernel_detail(trace, walk);
  if (kernel == nullptr || kernel->grid[0] <= 0) return {};
  const SliceId op = trace::op_of(trace, walk.kernel);
  if (op == no_slice || (trace.name(op) != "aten::mm" && trace.name(op) != "aten::matmul")) return {};
  if (follow_op(trace, op).gpu_pieces != 1) return {};
  const std::vector<analysis::Tensor> tensors = analysis::tensors_of(trace, op);
  const std::optional<analysis::Tensor> result = analysis::output_of(trace.name(op), tensors);
  if (!result || tensors[0].sizes[1] > longest_sum) return {};
  MatrixProduct product;
  product.m = result->sizes[0];
  product.n = result->sizes[1];
  product.k = tensors[0].sizes[1];
  if (is_own(kernel_record(trace, walk))) product.rule = MatrixProduct::Rule::code;
  product.inputs = input_values(trace, walk);
  if (product.inputs.size() != 2) product.inputs.clear();
  return product;
}

std::optional<MatrixProduct> matrix_product(const Trace& trace, const Walk& walk) {
  std::optional<MatrixProduct> product = untiled_product(trace, walk);
  if (!product) return {};
  const trace::KernelDetail& kernel = *kernel_detail(trace, walk);
  using Rule = MatrixProduct::Rule;
  if (product->rule == Rule::code) {
    product->depth = own_tile;
    if (!take_tile(kernel, own_tile, own_tile, *product)) return {};
    return product;
  }
  if (const std::optional<analysis::Tile> tile = analysis::read_kernel_name(trace.name(walk.kernel)).tile) {
    if (!take_tile(kernel, tile->n, tile->m, *product) && !take_tile(kernel, tile->m, tile->n, *product)) return {};
    if (tile->m != tile->n && product->tile_columns == tile->m) product->rule = Rule::columns_first;
    product->depth = tile->k > 0 ? tile->k : 1;
    return product;
  }
  const trace::KernelRecord* const record = kernel_record(trace, walk);
  if (record == nullptr || !record->state) return {};
  if (!take_tile(kernel, size_of_tile(product->m, kernel.grid[1]), size_of_tile(product->n, kernel.grid[0]), *product))
    return {};
  product->rule = Rule::grid;
  return product;
}

}  // namespace warpwalk::story

// Which kernel computes a convolution, and its launch.
#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/convolution/convolution.h"

namespace warpwalk::simulated::libraries {
namespace {

using stand_in::cudnn::ConvolutionShape;
using stand_in::cudnn::Extent;
using stand_in::cudnn::Strides;

/// Rows and columns of a tile of implicit_gemm.cuh, and the threads that compute it.
constexpr int tile_extent = 64, tile_block = 128;

long long volume_of(const Extent& extent) { return static_cast<long long>(extent.d) * extent.h * extent.w; }

/// Whether an index of both axes can be one of a single axis, of `inner` times as many elements.
bool is_mergeable(long long outer_stride, long long outer, long long inner_stride, long long inner) {
  return outer == 1 || inner == 1 || outer_stride == inner_stride * inner;
}

/// A convolution of single taps is a product of matrices whatever the axes are. Makes as few axes of the positions as
/// their strides allow, so that kernels run over long lines of the last one.
void merge_axes(Convolution& convolution) {
  ConvolutionShape& shape = convolution.shape;
  const auto is_one = [](const Extent& extent) { return extent.d == 1 && extent.h == 1 && extent.w == 1; };
  if (!is_one(shape.filter) || !is_one(shape.stride)) return;
  if (shape.padding.d != 0 || shape.padding.h != 0 || shape.padding.w != 0) return;
  Strides* const tensors[] = {&shape.x, &shape.y, &convolution.epilogue.addends[0].strides,
                              &convolution.epilogue.addends[1].strides};
  // The last axis takes in one axis after the other, until the strides of a tensor forbid it.
  const auto take_in = [&](int& outer, long long Strides::*axis) {
    Extent& extent = shape.input;
    for (const Strides* const strides : tensors)
      if (!is_mergeable(strides->*axis, outer, strides->w, extent.w)) return false;
    for (Strides* const strides : tensors)
      if (extent.w == 1) strides->w = strides->*axis;
    extent.w *= outer;
    outer = 1;
    return true;
  };
  if (volume_of(shape.input) * shape.images > std::numeric_limits<int>::max()) return;
  if (take_in(shape.input.h, &Strides::h) && take_in(shape.input.d, &Strides::d)) take_in(shape.images, &Strides::n);
  shape.output = shape.input;
}

const char* name_of(DataType type, bool tensor_cores) {
  switch (type) {
    case DataType::f32: return tensor_cores ? "TF32" : "F32";
    case DataType::f64: return "F64";
    case DataType::f16: return "F16";
    case DataType::bf16: return "BF16";
  }
  return "";
}

/// The extents of the product of matrices that a convolution is, for one group.
struct ProductExtents {
  long long rows = 0, columns = 0;
  long long lines = 0, line = 0;  ///< the inner dimension: so many lines of so many elements
};

ProductExtents product_of(const Convolution& convolution) {
  const ConvolutionShape& shape = convolution.shape;
  const long long taps = volume_of(shape.filter), outputs = shape.images * volume_of(shape.output);
  switch (convolution.result) {
    case ConvolutionResult::y: return {outputs, shape.output_channels, taps, shape.input_channels};
    case ConvolutionResult::dx:
      return {shape.images * volume_of(shape.input), shape.input_channels, taps, shape.output_channels};
    case ConvolutionResult::dw:
      return {shape.output_channels, taps * shape.input_channels, outputs / shape.output.w, shape.output.w};
  }
  return {};
}

long long rounded_up(long long value, long long to) { return (value + to - 1) / to * to; }

/// Whether tiles would be so empty that a thread for each element executes fewer instructions. The numbers are
/// multiply-adds per instruction of a warp, counted in the kernels' PTX.
bool is_direct_cheaper(const Convolution& convolution, const ProductExtents& product) {
  const bool cores =
      convolution.type != DataType::f64 && (convolution.type != DataType::f32 || convolution.tensor_cores);
  const bool half = convolution.type == DataType::f16 || convolution.type == DataType::bf16;
  const double per_instruction = half ? 150 : cores ? 90 : 22;
  const auto run = static_cast<long long>(32 / bytes_of(convolution.type));
  const double tiled = static_cast<double>(rounded_up(product.rows, tile_extent)) *
                       static_cast<double>(rounded_up(product.columns, tile_extent)) *
                       static_cast<double>(product.lines * rounded_up(product.line, run)) / per_instruction;
  const double elements = static_cast<double>(product.rows) * static_cast<double>(product.columns);
  const double steps = static_cast<double>(product.lines) * static_cast<double>(product.line);
  const double direct = convolution.result == ConvolutionResult::dw
                            ? elements * (steps * 40 / 32 + 400)
                            : elements / 32 * (steps * 7 + static_cast<double>(product.lines) * 35);
  return direct < tiled;
}

}  // namespace

DnnStatus run_convolution(const Convolution& wanted, const void* stream) {
  Convolution convolution = wanted;
  merge_axes(convolution);
  const ConvolutionShape& shape = convolution.shape;
  const ProductExtents product = product_of(convolution);
  if (product.rows > std::numeric_limits<int>::max() || product.columns > std::numeric_limits<int>::max())
    return DnnStatus::not_supported_shape;
  const bool direct = is_direct_cheaper(convolution, product);
  const std::string number = name_of(convolution.type, convolution.tensor_cores && !direct);
  const void *first = nullptr, *second = nullptr, *to = nullptr;
  std::string kernel;
  switch (convolution.result) {
    case ConvolutionResult::y:
      kernel = "convolution_forward", first = convolution.x, second = convolution.w, to = convolution.y;
      break;
    case ConvolutionResult::dx:
      kernel = "convolution_backward_data", first = convolution.y, second = convolution.w, to = convolution.x;
      break;
    case ConvolutionResult::dw:
      kernel = "convolution_backward_filter", first = convolution.y, second = convolution.x, to = convolution.w;
      break;
  }
  LaunchShape launched;
  if (!direct) {
    launched.block[0] = tile_block;
    launched.grid = {static_cast<std::uint32_t>(rounded_up(product.rows, tile_extent) / tile_extent),
                     static_cast<std::uint32_t>(rounded_up(product.columns, tile_extent) / tile_extent),
                     static_cast<std::uint32_t>(shape.groups)};
  } else if (convolution.result == ConvolutionResult::dw) {
    launched.block[0] = tile_block;
    launched.grid = {static_cast<std::uint32_t>(product.rows * shape.groups),
                     static_cast<std::uint32_t>(product.columns), 1};
  } else {
    launched = shape_over(static_cast<std::uint64_t>(product.rows * product.columns * shape.groups), tile_block);
  }
  // Grids have at most 65,535 blocks in y and z.
  if (launched.grid[1] > 65535 || launched.grid[2] > 65535) return DnnStatus::not_supported_shape;
  return dnn_status(launch(direct ? "convolution_direct" : kernel,
                           fmt::format("{}{}<stand_in::cudnn::{}>", kernel, direct ? "_direct" : "", number), launched,
                           stream, shape, first, second, to, convolution.epilogue));
}

}  // namespace warpwalk::simulated::libraries

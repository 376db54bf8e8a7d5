#pragma once

// A convolution as a product of matrices that are not in memory: threads compute where each element is.

#include "convolution_shape.h"
#include "tile_product.cuh"

namespace stand_in::cudnn {

/// A position in a batch of images.
struct Position {
  int n, d, h, w;
};

inline __device__ Position position_of(int index, const Extent& extent) {
  Position at;
  at.w = index % extent.w;
  index /= extent.w;
  at.h = index % extent.h;
  index /= extent.h;
  at.d = index % extent.d;
  at.n = index / extent.d;
  return at;
}

inline __device__ long long offset_of(const Position& at, const Strides& strides) {
  return at.n * strides.n + at.d * strides.d + at.h * strides.h + at.w * strides.w;
}

inline __device__ int volume(const Extent& extent) { return extent.d * extent.h * extent.w; }

inline __device__ bool is_inside(int d, int h, int w, const Extent& extent) {
  return static_cast<unsigned>(d) < static_cast<unsigned>(extent.d) &&
         static_cast<unsigned>(h) < static_cast<unsigned>(extent.h) &&
         static_cast<unsigned>(w) < static_cast<unsigned>(extent.w);
}

/// `count` numbers from `from` on, `stride` elements apart, and zeros after them.
template <class Storage, int elements>
__device__ void fetch_run(const Storage* from, long long stride, int count, Storage (&values)[elements]) {
  if (count >= elements) {
#pragma unroll
    for (int i = 0; i < elements; ++i, from += stride) values[i] = *from;
  } else {
#pragma unroll
    for (int i = 0; i < elements; ++i, from += stride) values[i] = i < count ? *from : Storage(0);
  }
}

/// `length`, rounded up to what a thread fetches at once: no fetch crosses from one tap, or line of an image, to the
/// next.
template <int elements>
__device__ int padded(int length) {
  return (length + elements - 1) / elements * elements;
}

/// A row of a matrix whose columns are pairs (tap, channel), the channels of a tap side by side. Derived::enter(tap)
/// returns the address of channel 0 of a tap, or null where the matrix has zeros.
template <class Derived, class Storage>
struct TapRow {
  int channels, taps;
  long long channel_stride;

  template <int elements>
  __device__ void fetch(int first, Storage (&values)[elements]) const {
    const int run = padded<elements>(channels), tap = first / run, channel = first - tap * run;
    const Storage* const at = tap < taps ? static_cast<const Derived*>(this)->enter(tap) : nullptr;
    fetch_run(at + channel * channel_stride, channel_stride, at == nullptr ? 0 : channels - channel, values);
  }
};

/// The input that one position of the output reads at each tap.
template <class Storage>
struct PatchRow : TapRow<PatchRow<Storage>, Storage> {
  const ConvolutionShape& shape;
  const Storage* image = nullptr;  ///< null past the last position
  int d, h, w;                     ///< where tap 0 reads

  __device__ PatchRow(const ConvolutionShape& shape, const Storage* x, int row) : shape(shape) {
    this->channels = shape.input_channels;
    this->taps = volume(shape.filter);
    this->channel_stride = shape.x.c;
    const Position at = position_of(row, shape.output);
    if (at.n < shape.images) image = x + at.n * shape.x.n;
    d = at.d * shape.stride.d - shape.padding.d;
    h = at.h * shape.stride.h - shape.padding.h;
    w = at.w * shape.stride.w - shape.padding.w;
  }

  __device__ const Storage* enter(int tap) const {
    const Position t = position_of(tap, shape.filter);
    const int in_d = d + t.d * shape.dilation.d, in_h = h + t.h * shape.dilation.h, in_w = w + t.w * shape.dilation.w;
    if (image == nullptr || !is_inside(in_d, in_h, in_w, shape.input)) return nullptr;
    return image + in_d * shape.x.d + in_h * shape.x.h + in_w * shape.x.w;
  }
};

/// The positions of the output that one position of the input has gone into: dy at each tap.
template <class Storage>
struct ReachedRow : TapRow<ReachedRow<Storage>, Storage> {
  const ConvolutionShape& shape;
  const Storage* image = nullptr;
  int d, h, w;  ///< the position that tap 0 has reached, times the stride

  __device__ ReachedRow(const ConvolutionShape& shape, const Storage* dy, int row) : shape(shape) {
    this->channels = shape.output_channels;
    this->taps = volume(shape.filter);
    this->channel_stride = shape.y.c;
    const Position at = position_of(row, shape.input);
    if (at.n < shape.images) image = dy + at.n * shape.y.n;
    d = at.d + shape.padding.d;
    h = at.h + shape.padding.h;
    w = at.w + shape.padding.w;
  }

  __device__ const Storage* enter(int tap) const {
    const Position t = position_of(tap, shape.filter);
    const int step_d = d - t.d * shape.dilation.d, step_h = h - t.h * shape.dilation.h;
    const int step_w = w - t.w * shape.dilation.w;
    const int out_d = step_d / shape.stride.d, out_h = step_h / shape.stride.h, out_w = step_w / shape.stride.w;
    const bool reached = step_d == out_d * shape.stride.d && step_h == out_h * shape.stride.h &&
                         step_w == out_w * shape.stride.w && is_inside(out_d, out_h, out_w, shape.output);
    if (image == nullptr || !reached) return nullptr;
    return image + out_d * shape.y.d + out_h * shape.y.h + out_w * shape.y.w;
  }
};

/// The weights of one channel: for the forward convolution of an output channel, for the gradient of x of an input
/// channel.
template <class Storage>
struct FilterRow : TapRow<FilterRow<Storage>, Storage> {
  const ConvolutionShape& shape;
  const Storage* weights = nullptr;

  __device__ FilterRow(const ConvolutionShape& shape, const Storage* w, int row, bool of_output) : shape(shape) {
    this->channels = of_output ? shape.input_channels : shape.output_channels;
    this->taps = volume(shape.filter);
    this->channel_stride = of_output ? shape.w.c : shape.w.n;
    const int rows = of_output ? shape.output_channels : shape.input_channels;
    if (row < rows) weights = w + row * (of_output ? shape.w.n : shape.w.c);
  }

  __device__ const Storage* enter(int tap) const {
    return weights == nullptr ? nullptr : weights + offset_of(position_of(tap, shape.filter), shape.w);
  }
};

/// dy of one output channel, at all positions of the output, line after line.
template <class Storage>
struct GradientRow {
  const ConvolutionShape& shape;
  const Storage* gradient = nullptr;

  __device__ GradientRow(const ConvolutionShape& shape, const Storage* dy, int row) : shape(shape) {
    if (row < shape.output_channels) gradient = dy + row * shape.y.c;
  }

  template <int elements>
  __device__ void fetch(int first, Storage (&values)[elements]) const {
    const Position at = position_of(first, {shape.output.d, shape.output.h, padded<elements>(shape.output.w)});
    const bool inside = gradient != nullptr && at.n < shape.images;
    fetch_run(gradient + offset_of(at, shape.y), shape.y.w, inside ? shape.output.w - at.w : 0, values);
  }
};

/// The input of one channel that one tap reads, for all positions of the output.
template <class Storage>
struct TapColumn {
  const ConvolutionShape& shape;
  const Storage* channel = nullptr;
  int d, h, w;  ///< what the tap reads for position 0

  __device__ TapColumn(const ConvolutionShape& shape, const Storage* x, int row) : shape(shape) {
    const int tap = row / shape.input_channels, c = row - tap * shape.input_channels;
    const Position t = position_of(tap, shape.filter);
    if (t.n == 0) channel = x + c * shape.x.c;
    d = t.d * shape.dilation.d - shape.padding.d;
    h = t.h * shape.dilation.h - shape.padding.h;
    w = t.w * shape.dilation.w - shape.padding.w;
  }

  template <int elements>
  __device__ void fetch(int first, Storage (&values)[elements]) const {
    const Position at = position_of(first, {shape.output.d, shape.output.h, padded<elements>(shape.output.w)});
    const int in_d = d + at.d * shape.stride.d, in_h = h + at.h * shape.stride.h, in_w = w + at.w * shape.stride.w;
    const bool inside = channel != nullptr && at.n < shape.images && is_inside(in_d, in_h, 0, shape.input);
    const int count = inside ? shape.output.w - at.w : 0;
    const Storage* from = channel + offset_of({at.n, in_d, in_h, in_w}, shape.x);
#pragma unroll
    for (int i = 0; i < elements; ++i, from += shape.stride.w * shape.x.w) {
      const bool within = i < count && is_inside(0, 0, in_w + i * shape.stride.w, shape.input);
      values[i] = within ? *from : Storage(0);
    }
  }
};

/// Multiplies the matrices of `left` and `right`, of which each thread fetches its row, and calls store(row, column,
/// sum) for the sums of this block: row after row, or column after column. `inner`: the length of the dimension that is
/// summed over.
template <class Number, bool by_column, class Left, class Right, class Store>
__device__ void implicit_gemm(const Left& left, const Right& right, int inner, Store store) {
  using Product = TileProduct<Number>;
  __shared__ union {
    struct {
      typename Product::Tile left, right;
    } tiles;
    typename Product::Staged staged;
  } shared;
  const int first = threadIdx.x / tile_rows * Product::elements;
  Product product;
  for (int k = 0; k < inner; k += Product::inner) {
    typename Number::Storage from_left[Product::elements], from_right[Product::elements];
    left.fetch(first + k, from_left);
    right.fetch(first + k, from_right);
    __syncthreads();  // all warps have multiplied the tiles before
    Product::store(shared.tiles.left, from_left);
    Product::store(shared.tiles.right, from_right);
    __syncthreads();
    product.multiply(shared.tiles.left, shared.tiles.right);
  }

  // Neighbouring threads store neighbouring elements.
  __syncthreads();
  product.stage(shared.staged);
  __syncthreads();
  const int own = threadIdx.x % tile_rows;
#pragma unroll 1
  for (int other = threadIdx.x / tile_rows; other < tile_rows; other += tile_threads / tile_rows)
    if constexpr (by_column)
      store(other, own, shared.staged.at[own][other]);
    else
      store(own, other, shared.staged.at[other][own]);
}

/// The sum with alpha, beta, addends and activation. `fused`: there can be addends and an activation.
template <class Number, bool fused>
__device__ void finish(const Epilogue& epilogue, typename Number::Sum sum, typename Number::Storage* to,
                       long long addend0, long long addend1) {
  using Storage = typename Number::Storage;
  using Sum = typename Number::Sum;
  Sum value = static_cast<Sum>(epilogue.alpha) * sum;
  if (epilogue.beta != 0) value += static_cast<Sum>(epilogue.beta) * Number::load(*to);
  if constexpr (fused) {
    if (epilogue.addends[0].tensor != nullptr)
      value += static_cast<Sum>(epilogue.addends[0].scale) *
               Number::load(static_cast<const Storage*>(epilogue.addends[0].tensor)[addend0]);
    if (epilogue.addends[1].tensor != nullptr)
      value += static_cast<Sum>(epilogue.addends[1].scale) *
               Number::load(static_cast<const Storage*>(epilogue.addends[1].tensor)[addend1]);
    if (epilogue.relu) {
      value = value < 0 ? Sum(0) : value;
      if (epilogue.upper != 0 && value > epilogue.upper) value = static_cast<Sum>(epilogue.upper);
    }
  }
  *to = Number::store(value);
}

}  // namespace stand_in::cudnn

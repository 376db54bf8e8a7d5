// Stand-ins for cuDNN's convolutions of few channels per group, such as depthwise ones: tiles of a matrix product would
// be mostly empty. Each thread computes one element; for the gradient of the filter, each block does.
#include "implicit_gemm.cuh"

namespace stand_in::cudnn {

/// The channel and the position that element `index` of a tensor is at. Neighbours in memory have neighbouring indices.
inline __device__ Position element_of(long long index, int channels, const Extent& extent, bool channels_last,
                                      int& channel) {
  const int positions = volume(extent);
  if (channels_last) {
    channel = static_cast<int>(index % channels);
    return position_of(static_cast<int>(index / channels), extent);
  }
  const long long plane = index / positions;
  channel = static_cast<int>(plane % channels);
  Position at = position_of(static_cast<int>(index - plane * positions), extent);
  at.n = static_cast<int>(plane / channels);
  return at;
}

template <class Number>
__global__ void convolution_forward_direct(const ConvolutionShape shape, const typename Number::Storage* x,
                                           const typename Number::Storage* w, typename Number::Storage* y,
                                           const Epilogue epilogue) {
  const long long index = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  int channel;
  const Position at = element_of(index, shape.groups * shape.output_channels, shape.output, shape.y.c == 1, channel);
  if (at.n >= shape.images) return;
  const int first_input = channel / shape.output_channels * shape.input_channels;
  typename Number::Sum sum = 0;
  for (int tap = 0; tap < volume(shape.filter); ++tap) {
    const Position t = position_of(tap, shape.filter);
    const int d = at.d * shape.stride.d - shape.padding.d + t.d * shape.dilation.d;
    const int h = at.h * shape.stride.h - shape.padding.h + t.h * shape.dilation.h;
    const int v = at.w * shape.stride.w - shape.padding.w + t.w * shape.dilation.w;
    if (!is_inside(d, h, v, shape.input)) continue;
    const auto* read = x + first_input * shape.x.c + offset_of({at.n, d, h, v}, shape.x);
    const auto* weight = w + channel * shape.w.n + offset_of(t, shape.w);
    for (int c = 0; c < shape.input_channels; ++c, read += shape.x.c, weight += shape.w.c)
      sum = fma(Number::load(*read), Number::load(*weight), sum);
  }
  finish<Number, true>(epilogue, sum, y + offset_of(at, shape.y) + channel * shape.y.c,
                       offset_of(at, epilogue.addends[0].strides) + channel * epilogue.addends[0].strides.c,
                       offset_of(at, epilogue.addends[1].strides) + channel * epilogue.addends[1].strides.c);
}

template <class Number>
__global__ void convolution_backward_data_direct(const ConvolutionShape shape, const typename Number::Storage* dy,
                                                 const typename Number::Storage* w, typename Number::Storage* dx,
                                                 const Epilogue epilogue) {
  const long long index = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  int channel;
  const Position at = element_of(index, shape.groups * shape.input_channels, shape.input, shape.x.c == 1, channel);
  if (at.n >= shape.images) return;
  const int group = channel / shape.input_channels, first_output = group * shape.output_channels;
  typename Number::Sum sum = 0;
  for (int tap = 0; tap < volume(shape.filter); ++tap) {
    const Position t = position_of(tap, shape.filter);
    const int step_d = at.d + shape.padding.d - t.d * shape.dilation.d;
    const int step_h = at.h + shape.padding.h - t.h * shape.dilation.h;
    const int step_w = at.w + shape.padding.w - t.w * shape.dilation.w;
    const int d = step_d / shape.stride.d, h = step_h / shape.stride.h, v = step_w / shape.stride.w;
    if (step_d != d * shape.stride.d || step_h != h * shape.stride.h || step_w != v * shape.stride.w) continue;
    if (!is_inside(d, h, v, shape.output)) continue;
    const auto* gradient = dy + first_output * shape.y.c + offset_of({at.n, d, h, v}, shape.y);
    const auto* weight =
        w + first_output * shape.w.n + (channel - group * shape.input_channels) * shape.w.c + offset_of(t, shape.w);
    for (int k = 0; k < shape.output_channels; ++k, gradient += shape.y.c, weight += shape.w.n)
      sum = fma(Number::load(*gradient), Number::load(*weight), sum);
  }
  finish<Number, false>(epilogue, sum, dx + offset_of(at, shape.x) + channel * shape.x.c, 0, 0);
}

/// blockIdx: output channel, pair (input channel, tap). The threads share the positions.
template <class Number>
__global__ void convolution_backward_filter_direct(const ConvolutionShape shape, const typename Number::Storage* dy,
                                                   const typename Number::Storage* x, typename Number::Storage* dw,
                                                   const Epilogue epilogue) {
  using Sum = typename Number::Sum;
  const int channel = blockIdx.x, c = blockIdx.y / volume(shape.filter);
  const Position t = position_of(blockIdx.y - c * volume(shape.filter), shape.filter);
  const auto* read = x + (channel / shape.output_channels * shape.input_channels + c) * shape.x.c;
  const auto* gradient = dy + channel * shape.y.c;
  Sum sum = 0;
  for (int i = threadIdx.x; i < shape.images * volume(shape.output); i += blockDim.x) {
    const Position at = position_of(i, shape.output);
    const int d = at.d * shape.stride.d - shape.padding.d + t.d * shape.dilation.d;
    const int h = at.h * shape.stride.h - shape.padding.h + t.h * shape.dilation.h;
    const int v = at.w * shape.stride.w - shape.padding.w + t.w * shape.dilation.w;
    if (!is_inside(d, h, v, shape.input)) continue;
    sum = fma(Number::load(read[offset_of({at.n, d, h, v}, shape.x)]), Number::load(gradient[offset_of(at, shape.y)]),
              sum);
  }

  // The sums of a warp, then those of the four warps.
  __shared__ Sum sums[4];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    finish<Number, false>(epilogue, sums[0] + sums[1] + sums[2] + sums[3],
                          dw + channel * shape.w.n + c * shape.w.c + offset_of(t, shape.w), 0, 0);
}

using Half = unsigned short;
template __global__ void convolution_forward_direct<F32>(ConvolutionShape, const float*, const float*, float*,
                                                         Epilogue);
template __global__ void convolution_forward_direct<F64>(ConvolutionShape, const double*, const double*, double*,
                                                         Epilogue);
template __global__ void convolution_forward_direct<F16>(ConvolutionShape, const Half*, const Half*, Half*, Epilogue);
template __global__ void convolution_forward_direct<BF16>(ConvolutionShape, const Half*, const Half*, Half*, Epilogue);
template __global__ void convolution_backward_data_direct<F32>(ConvolutionShape, const float*, const float*, float*,
                                                               Epilogue);
template __global__ void convolution_backward_data_direct<F64>(ConvolutionShape, const double*, const double*, double*,
                                                               Epilogue);
template __global__ void convolution_backward_data_direct<F16>(ConvolutionShape, const Half*, const Half*, Half*,
                                                               Epilogue);
template __global__ void convolution_backward_data_direct<BF16>(ConvolutionShape, const Half*, const Half*, Half*,
                                                                Epilogue);
template __global__ void convolution_backward_filter_direct<F32>(ConvolutionShape, const float*, const float*, float*,
                                                                 Epilogue);
template __global__ void convolution_backward_filter_direct<F64>(ConvolutionShape, const double*, const double*,
                                                                 double*, Epilogue);
template __global__ void convolution_backward_filter_direct<F16>(ConvolutionShape, const Half*, const Half*, Half*,
                                                                 Epilogue);
template __global__ void convolution_backward_filter_direct<BF16>(ConvolutionShape, const Half*, const Half*, Half*,
                                                                  Epilogue);

}  // namespace stand_in::cudnn

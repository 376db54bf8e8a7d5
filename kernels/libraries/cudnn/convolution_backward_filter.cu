// Stand-in for cuDNN's gradients of the filter of a convolution: a product of the gradients of the output (a row per
// output channel) with what each tap has read (a row per tap and input channel), summed over all positions.
#include "implicit_gemm.cuh"

namespace stand_in::cudnn {

/// blockIdx: tile of output channels, tile of pairs (tap, input channel), group.
template <class Number>
__global__ void __launch_bounds__(tile_threads)
    convolution_backward_filter(const ConvolutionShape shape, const typename Number::Storage* dy,
                                const typename Number::Storage* x, typename Number::Storage* dw,
                                const Epilogue epilogue) {
  using Storage = typename Number::Storage;
  const int first_row = blockIdx.x * tile_rows, first_column = blockIdx.y * tile_rows, row = threadIdx.x % tile_rows;
  const int first_output = blockIdx.z * shape.output_channels;
  const GradientRow<Storage> left(shape, dy + first_output * shape.y.c, first_row + row);
  const TapColumn<Storage> right(shape, x + blockIdx.z * shape.input_channels * shape.x.c, first_column + row);

  const int tap = (first_column + row) / shape.input_channels, c = first_column + row - tap * shape.input_channels;
  const Position t = position_of(tap, shape.filter);
  Storage* const to = dw + offset_of({0, t.d, t.h, t.w}, shape.w) + c * shape.w.c + first_output * shape.w.n;
  const int lines = shape.images * shape.output.d * shape.output.h;
  const int inner = lines * padded<TileProduct<Number>::elements>(shape.output.w);
  implicit_gemm<Number, true>(left, right, inner, [&](int i, int, typename Number::Sum sum) {
    if (first_row + i >= shape.output_channels || t.n > 0) return;
    finish<Number, false>(epilogue, sum, to + (first_row + i) * shape.w.n, 0, 0);
  });
}

template __global__ void convolution_backward_filter<TF32>(ConvolutionShape, const float*, const float*, float*,
                                                           Epilogue);
template __global__ void convolution_backward_filter<F32>(ConvolutionShape, const float*, const float*, float*,
                                                          Epilogue);
template __global__ void convolution_backward_filter<F64>(ConvolutionShape, const double*, const double*, double*,
                                                          Epilogue);
template __global__ void convolution_backward_filter<F16>(ConvolutionShape, const unsigned short*,
                                                          const unsigned short*, unsigned short*, Epilogue);
template __global__ void convolution_backward_filter<BF16>(ConvolutionShape, const unsigned short*,
                                                           const unsigned short*, unsigned short*, Epilogue);

}  // namespace stand_in::cudnn

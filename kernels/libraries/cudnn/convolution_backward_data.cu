// Stand-in for cuDNN's gradients of the input of a convolution: a product of the gradients that each position of the
// input has reached (a row per position) with the filter (a row per input channel).
#include "implicit_gemm.cuh"

namespace stand_in::cudnn {

/// blockIdx: tile of positions, tile of input channels, group.
template <class Number>
__global__ void __launch_bounds__(tile_threads)
    convolution_backward_data(const ConvolutionShape shape, const typename Number::Storage* dy,
                              const typename Number::Storage* w, typename Number::Storage* dx,
                              const Epilogue epilogue) {
  using Storage = typename Number::Storage;
  const int first_row = blockIdx.x * tile_rows, first_column = blockIdx.y * tile_rows, row = threadIdx.x % tile_rows;
  const int first_output = blockIdx.z * shape.output_channels;
  const ReachedRow<Storage> left(shape, dy + first_output * shape.y.c, first_row + row);
  const FilterRow<Storage> right(shape, w + first_output * shape.w.n, first_column + row, false);

  const Position at = position_of(first_row + row, shape.input);
  Storage* const to = dx + offset_of(at, shape.x) + blockIdx.z * shape.input_channels * shape.x.c;
  const int inner = volume(shape.filter) * padded<TileProduct<Number>::elements>(shape.output_channels);
  implicit_gemm<Number, false>(left, right, inner, [&](int, int j, typename Number::Sum sum) {
    const int column = first_column + j;
    if (at.n >= shape.images || column >= shape.input_channels) return;
    finish<Number, false>(epilogue, sum, to + column * shape.x.c, 0, 0);
  });
}

template __global__ void convolution_backward_data<TF32>(ConvolutionShape, const float*, const float*, float*,
                                                         Epilogue);
template __global__ void convolution_backward_data<F32>(ConvolutionShape, const float*, const float*, float*, Epilogue);
template __global__ void convolution_backward_data<F64>(ConvolutionShape, const double*, const double*, double*,
                                                        Epilogue);
template __global__ void convolution_backward_data<F16>(ConvolutionShape, const unsigned short*, const unsigned short*,
                                                        unsigned short*, Epilogue);
template __global__ void convolution_backward_data<BF16>(ConvolutionShape, const unsigned short*, const unsigned short*,
                                                         unsigned short*, Epilogue);

}  // namespace stand_in::cudnn

// Stand-in for cuDNN's forward convolutions: a product of the patches that the output reads (a row per position) with
// the filter (a row per output channel).
#include "implicit_gemm.cuh"

namespace stand_in::cudnn {

/// blockIdx: tile of positions, tile of output channels, group.
template <class Number>
__global__ void __launch_bounds__(tile_threads)
    convolution_forward(const ConvolutionShape shape, const typename Number::Storage* x,
                        const typename Number::Storage* w, typename Number::Storage* y, const Epilogue epilogue) {
  using Storage = typename Number::Storage;
  const int first_row = blockIdx.x * tile_rows, first_column = blockIdx.y * tile_rows, row = threadIdx.x % tile_rows;
  const int first_channel = blockIdx.z * shape.output_channels;
  const PatchRow<Storage> left(shape, x + blockIdx.z * shape.input_channels * shape.x.c, first_row + row);
  const FilterRow<Storage> right(shape, w + first_channel * shape.w.n, first_column + row, true);

  const Position at = position_of(first_row + row, shape.output);
  const long long to = offset_of(at, shape.y), addend0 = offset_of(at, epilogue.addends[0].strides),
                  addend1 = offset_of(at, epilogue.addends[1].strides);
  const int inner = volume(shape.filter) * padded<TileProduct<Number>::elements>(shape.input_channels);
  implicit_gemm<Number, false>(left, right, inner, [&](int, int j, typename Number::Sum sum) {
    const int column = first_column + j, channel = first_channel + column;
    if (at.n >= shape.images || column >= shape.output_channels) return;
    finish<Number, true>(epilogue, sum, y + to + channel * shape.y.c, addend0 + channel * epilogue.addends[0].strides.c,
                         addend1 + channel * epilogue.addends[1].strides.c);
  });
}

template __global__ void convolution_forward<TF32>(ConvolutionShape, const float*, const float*, float*, Epilogue);
template __global__ void convolution_forward<F32>(ConvolutionShape, const float*, const float*, float*, Epilogue);
template __global__ void convolution_forward<F64>(ConvolutionShape, const double*, const double*, double*, Epilogue);
template __global__ void convolution_forward<F16>(ConvolutionShape, const unsigned short*, const unsigned short*,
                                                  unsigned short*, Epilogue);
template __global__ void convolution_forward<BF16>(ConvolutionShape, const unsigned short*, const unsigned short*,
                                                   unsigned short*, Epilogue);

}  // namespace stand_in::cudnn

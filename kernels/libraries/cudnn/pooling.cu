// Stand-in for cuDNN's pooling of images: one thread per element of the result.
#include "number.cuh"

namespace stand_in::cudnn {

/// Bytes of quantised tensors.
struct I8 {
  using Storage = signed char;
  using Sum = float;
  static __device__ Sum load(Storage stored) { return stored; }
  static __device__ Storage store(Sum value) { return static_cast<Storage>(rintf(fminf(fmaxf(value, -128), 127))); }
};

struct PooledImage {
  int height, width;
  long long n, c, h, w;
};

struct PoolingWindow {
  int height, width, padding_h, padding_w, stride_h, stride_w;
  int mode;  ///< 0 and 3: largest; 1: average with the padding; 2: average of the image's elements
};

template <class Number>
__global__ void pool(int images, int channels, PoolingWindow window, PooledImage from,
                     const typename Number::Storage* x, PooledImage to, typename Number::Storage* y, double alpha,
                     double beta) {
  using Sum = typename Number::Sum;
  long long index = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= static_cast<long long>(images) * channels * to.height * to.width) return;
  const int w = static_cast<int>(index % to.width);
  index /= to.width;
  const int h = static_cast<int>(index % to.height);
  index /= to.height;
  const int c = static_cast<int>(index % channels), n = static_cast<int>(index / channels);
  const int first_h = h * window.stride_h - window.padding_h, first_w = w * window.stride_w - window.padding_w;
  const bool largest = window.mode == 0 || window.mode == 3;
  Sum result = largest ? -INFINITY : Sum(0);
  int count = 0;
  for (int i = max(first_h, 0); i < min(first_h + window.height, from.height); ++i)
    for (int j = max(first_w, 0); j < min(first_w + window.width, from.width); ++j) {
      const Sum value = Number::load(x[n * from.n + c * from.c + i * from.h + j * from.w]);
      result = !largest ? result + value : value > result || value != value ? value : result;
      ++count;
    }
  if (!largest) result /= window.mode == 1 ? window.height * window.width : count;
  typename Number::Storage* const at = y + n * to.n + c * to.c + h * to.h + w * to.w;
  result *= static_cast<Sum>(alpha);
  if (beta != 0) result += static_cast<Sum>(beta) * Number::load(*at);
  *at = Number::store(result);
}

using Half = unsigned short;
template __global__ void pool<F32>(int, int, PoolingWindow, PooledImage, const float*, PooledImage, float*, double,
                                   double);
template __global__ void pool<F64>(int, int, PoolingWindow, PooledImage, const double*, PooledImage, double*, double,
                                   double);
template __global__ void pool<F16>(int, int, PoolingWindow, PooledImage, const Half*, PooledImage, Half*, double,
                                   double);
template __global__ void pool<BF16>(int, int, PoolingWindow, PooledImage, const Half*, PooledImage, Half*, double,
                                    double);
template __global__ void pool<I8>(int, int, PoolingWindow, PooledImage, const signed char*, PooledImage, signed char*,
                                  double, double);

}  // namespace stand_in::cudnn

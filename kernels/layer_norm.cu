// y = (x - mean) / sqrt(variance + eps) for each row of x, times weight, plus bias; and the gradient of x.
//
// Shows: two reductions over a block: the mean, then the variance around it. One pass over the row would be less exact.
// The gradient repeats both and adds two more. A row is all elements of the normalized dimensions.
// Launch: one block of 32 to 1024 threads per row, whole warps.
#include "elements.cuh"
#include "over_block.cuh"

__device__ inline float of_sqrt(float x) { return sqrtf(x); }
__device__ inline double of_sqrt(double x) { return sqrt(x); }

template <typename V>
struct Moments {
  V mean, rstd;
};

// Moments of a row of x. `first`: its first element; `which`: the index of its tensor in the layout.
template <typename T, int tensors>
__device__ Moments<Computed<T>> moments(const T* first, const Layout<tensors>& row, int which, int count,
                                        Computed<T> eps, Computed<T>* of_warp) {
  using V = Computed<T>;
  V sum = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockDim.x) sum += value_of(first[places(row, i).of[which]]);
  const V mean = over_block(sum, of_warp, Sum()) / V(count);
  V squares = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const V off = value_of(first[places(row, i).of[which]]) - mean;
    squares += off * off;
  }
  const V variance = over_block(squares, of_warp, Sum()) / V(count);
  return {mean, V(1) / of_sqrt(variance + eps)};
}

// weight and bias are null if absent.
template <int tensors, typename T>
__device__ void forward(const T* x, const T* weight, const T* bias, T* y, Computed<T> eps, const Layout<tensors>& rows,
                        const Layout<tensors>& row, int count) {
  using V = Computed<T>;
  __shared__ V of_warp[32];
  const Places<tensors> start = places(rows, blockIdx.x);
  const Moments<V> of = moments<T>(x + start.of[0], row, 0, count, eps, of_warp);
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const Places<tensors> at = places(row, i);
    V value = (value_of(x[start.of[0] + at.of[0]]) - of.mean) * of.rstd;
    if (tensors > 2) value *= value_of(weight[start.of[1] + at.of[1]]);
    if (tensors > 3) value += value_of(bias[start.of[2] + at.of[2]]);
    y[start.of[tensors - 1] + at.of[tensors - 1]] = rounded<T>(value);
  }
}

// With h = g weight and n = (x - mean) rstd the gradient is rstd (h - mean of h - n (mean of h n)).
template <int tensors, typename T>
__device__ void backward(const T* gradient, const T* x, const T* weight, T* to, Computed<T> eps,
                         const Layout<tensors>& rows, const Layout<tensors>& row, int count) {
  using V = Computed<T>;
  __shared__ V of_warp[32];
  const Places<tensors> start = places(rows, blockIdx.x);
  const Moments<V> of = moments<T>(x + start.of[1], row, 1, count, eps, of_warp);
  const auto scaled = [&](const Places<tensors>& at) {
    const V g = value_of(gradient[start.of[0] + at.of[0]]);
    return tensors > 3 ? g * value_of(weight[start.of[2] + at.of[2]]) : g;
  };
  const auto normalized = [&](const Places<tensors>& at) {
    return (value_of(x[start.of[1] + at.of[1]]) - of.mean) * of.rstd;
  };
  V sum = 0, product = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const Places<tensors> at = places(row, i);
    const V h = scaled(at);
    sum += h;
    product += h * normalized(at);
  }
  sum = over_block(sum, of_warp, Sum()) / V(count);
  product = over_block(product, of_warp, Sum()) / V(count);
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const Places<tensors> at = places(row, i);
    to[start.of[tensors - 1] + at.of[tensors - 1]] =
        rounded<T>(of.rstd * (scaled(at) - sum - normalized(at) * product));
  }
}

#define LAYOUTS(tensors) \
  const __grid_constant__ Layout<tensors> rows, const __grid_constant__ Layout<tensors> row, int count
#define ENTRIES(T)                                                                                                    \
  extern "C" __global__ void layer_norm_##T(const T* x, T* y, Computed<T> eps, LAYOUTS(2)) {                          \
    forward<2, T>(x, nullptr, nullptr, y, eps, rows, row, count);                                                     \
  }                                                                                                                   \
  extern "C" __global__ void layer_norm_weight_##T(const T* x, const T* weight, T* y, Computed<T> eps, LAYOUTS(3)) {  \
    forward<3, T>(x, weight, nullptr, y, eps, rows, row, count);                                                      \
  }                                                                                                                   \
  extern "C" __global__ void layer_norm_affine_##T(const T* x, const T* weight, const T* bias, T* y, Computed<T> eps, \
                                                   LAYOUTS(4)) {                                                      \
    forward<4, T>(x, weight, bias, y, eps, rows, row, count);                                                         \
  }                                                                                                                   \
  extern "C" __global__ void layer_norm_backward_##T(const T* gradient, const T* x, T* to, Computed<T> eps,           \
                                                     LAYOUTS(3)) {                                                    \
    backward<3, T>(gradient, x, nullptr, to, eps, rows, row, count);                                                  \
  }                                                                                                                   \
  extern "C" __global__ void layer_norm_backward_weight_##T(const T* gradient, const T* x, const T* weight, T* to,    \
                                                            Computed<T> eps, LAYOUTS(4)) {                            \
    backward<4, T>(gradient, x, weight, to, eps, rows, row, count);                                                   \
  }

ENTRIES(f16)
ENTRIES(bf16)
ENTRIES(f32)
ENTRIES(f64)

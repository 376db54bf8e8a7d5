// y = softmax or log_softmax of each row of x, and the gradients of both. A row is any dimension of any view; strides
// give the addresses of its elements.
//
// Shows: softmax for every type. Two reductions over a block (the maximum, then the sum) alternate with three passes
// over the row. The gradients take one reduction and two passes. softmax of row-major floats has a separate file.
// Launch: one block of 32 to 1024 threads per row, whole warps.
#include "elements.cuh"
#include "larger.cuh"
#include "over_block.cuh"

__device__ inline float of_exp(float x) { return expf(x); }
__device__ inline double of_exp(double x) { return exp(x); }
__device__ inline float of_log(float x) { return logf(x); }
__device__ inline double of_log(double x) { return log(x); }

struct Larger {
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return larger(a, b);
  }
};

// The result for each element of a row, from x - largest and the sum of e^(x - largest).
struct Softmax {
  template <typename V>
  __device__ V operator()(V below, V sum) const {
    return of_exp(below) / sum;
  }
};
struct LogSoftmax {
  template <typename V>
  __device__ V operator()(V below, V sum) const {
    return below - of_log(sum);
  }
};

template <typename T, typename Result>
__device__ void forward(const T* x, T* y, const Layout<2>& rows, const Layout<2>& row, int count, Result result) {
  using V = Computed<T>;
  __shared__ V of_warp[32];
  const Places<2> start = places(rows, blockIdx.x);
  const T* const from = x + start.of[0];
  T* const to = y + start.of[1];
  V largest = -INFINITY;
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockDim.x) largest = larger(largest, value_of(from[places(row, i).of[0]]));
  largest = over_block(largest, of_warp, Larger());
  V sum = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockDim.x) sum += of_exp(value_of(from[places(row, i).of[0]]) - largest);
  sum = over_block(sum, of_warp, Sum());
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const Places<2> at = places(row, i);
    to[at.of[1]] = rounded<T>(result(value_of(from[at.of[0]]) - largest, sum));
  }
}

// softmax: the gradient is y (g - sum of g y).
struct SoftmaxBackward {
  template <typename V>
  __device__ V term(V gradient, V y) const {
    return gradient * y;
  }
  template <typename V>
  __device__ V result(V gradient, V y, V sum) const {
    return y * (gradient - sum);
  }
};
// log_softmax: the gradient is g - e^y (sum of g).
struct LogSoftmaxBackward {
  template <typename V>
  __device__ V term(V gradient, V) const {
    return gradient;
  }
  template <typename V>
  __device__ V result(V gradient, V y, V sum) const {
    return gradient - of_exp(y) * sum;
  }
};

template <typename T, typename Formula>
__device__ void backward(const T* gradient, const T* y, T* to, const Layout<3>& rows, const Layout<3>& row, int count,
                         Formula formula) {
  using V = Computed<T>;
  __shared__ V of_warp[32];
  const Places<3> start = places(rows, blockIdx.x);
  V sum = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const Places<3> at = places(row, i);
    sum += formula.term(value_of(gradient[start.of[0] + at.of[0]]), value_of(y[start.of[1] + at.of[1]]));
  }
  sum = over_block(sum, of_warp, Sum());
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const Places<3> at = places(row, i);
    to[start.of[2] + at.of[2]] = rounded<T>(
        formula.result(value_of(gradient[start.of[0] + at.of[0]]), value_of(y[start.of[1] + at.of[1]]), sum));
  }
}

#define FORWARD(name, Result, T)                                                                  \
  extern "C" __global__ void name##_##T(const T* x, T* y, const __grid_constant__ Layout<2> rows, \
                                        const __grid_constant__ Layout<2> row, int count) {       \
    forward(x, y, rows, row, count, Result());                                                    \
  }
#define BACKWARD(name, Formula, T)                                                                                    \
  extern "C" __global__ void name##_##T(const T* gradient, const T* y, T* to, const __grid_constant__ Layout<3> rows, \
                                        const __grid_constant__ Layout<3> row, int count) {                           \
    backward(gradient, y, to, rows, row, count, Formula());                                                           \
  }
#define ENTRIES(T)                               \
  FORWARD(softmax, Softmax, T)                   \
  FORWARD(log_softmax, LogSoftmax, T)            \
  BACKWARD(softmax_backward, SoftmaxBackward, T) \
  BACKWARD(log_softmax_backward, LogSoftmaxBackward, T)

ENTRIES(f16)
ENTRIES(bf16)
ENTRIES(f32)
ENTRIES(f64)

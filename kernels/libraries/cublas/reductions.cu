// Numbers computed of whole vectors, by one block: each thread takes every 1024th element, warps add up their lanes, and
// the first warp adds up the warps.
#include "../cublas_products/elements.cuh"
#include "numbers.cuh"

namespace stand_in::cublas {

constexpr int reduction_threads = 1024;

/// The sum over the threads of the block, in all threads of warp 0.
template <class Number>
__device__ Number block_sum(Number value) {
  __shared__ Number of_warps[32];
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warps[threadIdx.x % 32];
  return warp_sum(value);
}

/// result = the sum of x[i] * y[i], of conjugate(x[i]) * y[i] if asked for
template <class Number>
__global__ void __launch_bounds__(reduction_threads) dot(long long n, const Number* x, long long x_step, const Number* y,
                                                         long long y_step, int conjugates, Number* result) {
  Number value{};
  for (long long i = threadIdx.x; i < n; i += reduction_threads) {
    const Number of_x = x[i * x_step];
    value = sum(value, product(conjugates ? conjugate(of_x) : of_x, y[i * y_step]));
  }
  value = block_sum(value);
  if (threadIdx.x == 0) *result = value;
}
template __global__ void dot(long long, const float*, long long, const float*, long long, int, float*);
template __global__ void dot(long long, const double*, long long, const double*, long long, int, double*);
template __global__ void dot(long long, const float2*, long long, const float2*, long long, int, float2*);
template __global__ void dot(long long, const double2*, long long, const double2*, long long, int, double2*);

/// The same for half-precision numbers and bfloat16, with a sum of single precision.
__global__ void __launch_bounds__(reduction_threads) dot_typed(long long n, const void* x, int x_type, long long x_step,
                                                               const void* y, int y_type, long long y_step, void* result,
                                                               int result_type) {
  float value = 0;
  for (long long i = threadIdx.x; i < n; i += reduction_threads)
    value += load_element(x, x_type, i * x_step) * load_element(y, y_type, i * y_step);
  value = block_sum(value);
  if (threadIdx.x == 0) store_element(result, result_type, 0, value);
}

/// result = the sum of the magnitudes
template <class Number>
__global__ void __launch_bounds__(reduction_threads) absolute_sum(long long n, const Number* x, long long x_step,
                                                                  Real<Number>* result) {
  Real<Number> value = 0;
  for (long long i = threadIdx.x; i < n; i += reduction_threads) value += magnitude(x[i * x_step]);
  value = block_sum(value);
  if (threadIdx.x == 0) *result = value;
}
template __global__ void absolute_sum(long long, const float*, long long, float*);
template __global__ void absolute_sum(long long, const double*, long long, double*);
template __global__ void absolute_sum(long long, const float2*, long long, float*);
template __global__ void absolute_sum(long long, const double2*, long long, double*);

template <class Number>
__device__ Real<Number> scaled_square(Number a, Real<Number> scale) {
  return a / scale * (a / scale);
}
template <>
__device__ inline float scaled_square(float2 a, float scale) {
  return a.x / scale * (a.x / scale) + a.y / scale * (a.y / scale);
}
template <>
__device__ inline double scaled_square(double2 a, double scale) {
  return a.x / scale * (a.x / scale) + a.y / scale * (a.y / scale);
}

/// The value and the place of the largest (or smallest) magnitude so far; of equal ones, the first. Place 0: none.
template <class Value>
struct Extreme {
  Value value;
  int place;
};
template <class Value>
__device__ Extreme<Value> chosen(Extreme<Value> a, Extreme<Value> b, bool smallest) {
  if (b.place == 0) return a;
  if (a.place == 0) return b;
  if (a.value == b.value) return a.place < b.place ? a : b;
  return (a.value < b.value) == smallest ? a : b;
}

/// The choice over the threads of the block, in all threads.
template <class Value>
__device__ Extreme<Value> block_choice(Extreme<Value> value, bool smallest) {
  __shared__ Extreme<Value> of_warps[32];
  for (int turn = 0; turn < 2; ++turn) {
    for (int distance = 16; distance > 0; distance /= 2) {
      const Extreme<Value> other = {__shfl_xor_sync(0xffffffff, value.value, distance),
                                    __shfl_xor_sync(0xffffffff, value.place, distance)};
      value = chosen(value, other, smallest);
    }
    if (turn == 1) break;
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = of_warps[threadIdx.x % 32];
  }
  return value;
}

/// result = the Euclidean norm. Squares are taken of elements relative to the largest one, so that none overflows.
template <class Number>
__global__ void __launch_bounds__(reduction_threads) norm(long long n, const Number* x, long long x_step,
                                                          Real<Number>* result) {
  Extreme<Real<Number>> largest = {0, 0};
  for (long long i = threadIdx.x; i < n; i += reduction_threads)
    largest = chosen(largest, {magnitude(x[i * x_step]), 1}, false);
  const Real<Number> scale = block_choice(largest, false).value;
  if (scale == 0 || isinf(scale)) {
    if (threadIdx.x == 0) *result = scale;
    return;
  }
  Real<Number> value = 0;
  for (long long i = threadIdx.x; i < n; i += reduction_threads) value += scaled_square(x[i * x_step], scale);
  value = block_sum(value);
  if (threadIdx.x == 0) *result = scale * sqrt(value);
}
template __global__ void norm(long long, const float*, long long, float*);
template __global__ void norm(long long, const double*, long long, double*);
template __global__ void norm(long long, const float2*, long long, float*);
template __global__ void norm(long long, const double2*, long long, double*);

/// result = the place of the first element of the largest (or smallest) magnitude, counted from 1
template <class Number>
__global__ void __launch_bounds__(reduction_threads) find_extreme(long long n, const Number* x, long long x_step,
                                                                  int smallest, int* result) {
  Extreme<Real<Number>> value = {0, 0};
  for (long long i = threadIdx.x; i < n; i += reduction_threads)
    value = chosen(value, {magnitude(x[i * x_step]), static_cast<int>(i) + 1}, smallest != 0);
  value = block_choice(value, smallest != 0);
  if (threadIdx.x == 0) *result = value.place;
}
template __global__ void find_extreme(long long, const float*, long long, int, int*);
template __global__ void find_extreme(long long, const double*, long long, int, int*);
template __global__ void find_extreme(long long, const float2*, long long, int, int*);
template __global__ void find_extreme(long long, const double2*, long long, int, int*);

}  // namespace stand_in::cublas

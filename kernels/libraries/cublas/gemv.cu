// Products of a matrix and a vector: y = alpha * op(A) * x + beta * y. Columns of A follow one another.
#include "numbers.cuh"

namespace stand_in::cublas {

/// alpha and beta; in device memory if the addresses are not null.
template <class Number>
struct Scalars {
  Number alpha, beta;
  const Number *alpha_at, *beta_at;
};

template <class Number>
__device__ void store_result(Number* y, Number value, const Scalars<Number>& scalars) {
  const Number alpha = scalars.alpha_at != nullptr ? *scalars.alpha_at : scalars.alpha;
  const Number beta = scalars.beta_at != nullptr ? *scalars.beta_at : scalars.beta;
  value = product(alpha, value);
  *y = is_zero(beta) ? value : sum(value, product(beta, *y));
}

/// op(A) = A: a thread per row, so that a warp loads elements of a column that follow one another.
template <class Number>
__global__ void gemv_rows(int m, int n, Scalars<Number> scalars, const Number* a, long long column_step, const Number* x,
                          long long x_step, Number* y, long long y_step) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  Number value{};
#pragma unroll 4
  for (int column = 0; column < n; ++column)
    value = sum(value, product(a[column * column_step + row], x[column * x_step]));
  store_result(y + row * y_step, value, scalars);
}
template __global__ void gemv_rows(int, int, Scalars<float>, const float*, long long, const float*, long long, float*,
                                   long long);
template __global__ void gemv_rows(int, int, Scalars<double>, const double*, long long, const double*, long long,
                                   double*, long long);
template __global__ void gemv_rows(int, int, Scalars<float2>, const float2*, long long, const float2*, long long,
                                   float2*, long long);
template __global__ void gemv_rows(int, int, Scalars<double2>, const double2*, long long, const double2*, long long,
                                   double2*, long long);

/// op(A) = the transpose, or its conjugate: a warp per column, whose lanes add up their products.
template <class Number>
__global__ void gemv_columns(int m, int n, Scalars<Number> scalars, const Number* a, long long column_step,
                             const Number* x, long long x_step, Number* y, long long y_step, int conjugates) {
  const int column = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (column >= n) return;
  Number value{};
#pragma unroll 4
  for (int row = lane; row < m; row += 32) {
    const Number of_a = a[column * column_step + row];
    value = sum(value, product(conjugates ? conjugate(of_a) : of_a, x[row * x_step]));
  }
  value = warp_sum(value);
  if (lane == 0) store_result(y + column * y_step, value, scalars);
}
template __global__ void gemv_columns(int, int, Scalars<float>, const float*, long long, const float*, long long, float*,
                                      long long, int);
template __global__ void gemv_columns(int, int, Scalars<double>, const double*, long long, const double*, long long,
                                      double*, long long, int);
template __global__ void gemv_columns(int, int, Scalars<float2>, const float2*, long long, const float2*, long long,
                                      float2*, long long, int);
template __global__ void gemv_columns(int, int, Scalars<double2>, const double2*, long long, const double2*, long long,
                                      double2*, long long, int);

}  // namespace stand_in::cublas

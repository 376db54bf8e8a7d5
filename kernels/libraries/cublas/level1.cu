// Operations on vectors: element i is at x[i * x_step]. Scalars are arguments, or in device memory if `*_at` is not null.
#include "numbers.cuh"

namespace stand_in::cublas {

__device__ inline long long first_index() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline long long index_step() { return static_cast<long long>(gridDim.x) * blockDim.x; }

/// x = alpha * x
template <class Number, class Factor>
__global__ void scale(long long n, Factor alpha, const Factor* alpha_at, Number* x, long long x_step) {
  const Factor factor = alpha_at != nullptr ? *alpha_at : alpha;
  for (long long i = first_index(); i < n; i += index_step()) x[i * x_step] = product(factor, x[i * x_step]);
}
template __global__ void scale(long long, float, const float*, float*, long long);
template __global__ void scale(long long, double, const double*, double*, long long);
template __global__ void scale(long long, float, const float*, float2*, long long);
template __global__ void scale(long long, double, const double*, double2*, long long);
template __global__ void scale(long long, float2, const float2*, float2*, long long);
template __global__ void scale(long long, double2, const double2*, double2*, long long);

/// y = alpha * x + y
template <class Number>
__global__ void add_scaled(long long n, Number alpha, const Number* alpha_at, const Number* x, long long x_step,
                           Number* y, long long y_step) {
  const Number factor = alpha_at != nullptr ? *alpha_at : alpha;
  for (long long i = first_index(); i < n; i += index_step())
    y[i * y_step] = sum(product(factor, x[i * x_step]), y[i * y_step]);
}
template __global__ void add_scaled(long long, float, const float*, const float*, long long, float*, long long);
template __global__ void add_scaled(long long, double, const double*, const double*, long long, double*, long long);
template __global__ void add_scaled(long long, float2, const float2*, const float2*, long long, float2*, long long);
template __global__ void add_scaled(long long, double2, const double2*, const double2*, long long, double2*, long long);

/// y = x
template <class Number>
__global__ void copy(long long n, const Number* x, long long x_step, Number* y, long long y_step) {
  for (long long i = first_index(); i < n; i += index_step()) y[i * y_step] = x[i * x_step];
}
template __global__ void copy(long long, const float*, long long, float*, long long);
template __global__ void copy(long long, const double*, long long, double*, long long);
template __global__ void copy(long long, const float2*, long long, float2*, long long);
template __global__ void copy(long long, const double2*, long long, double2*, long long);

/// Exchanges x and y.
template <class Number>
__global__ void swap(long long n, Number* x, long long x_step, Number* y, long long y_step) {
  for (long long i = first_index(); i < n; i += index_step()) {
    const Number of_x = x[i * x_step];
    x[i * x_step] = y[i * y_step];
    y[i * y_step] = of_x;
  }
}
template __global__ void swap(long long, float*, long long, float*, long long);
template __global__ void swap(long long, double*, long long, double*, long long);
template __global__ void swap(long long, float2*, long long, float2*, long long);
template __global__ void swap(long long, double2*, long long, double2*, long long);

/// x = c * x + s * y and y = c * y - conjugate(s) * x
template <class Number, class Sine>
__global__ void rotate(long long n, Number* x, long long x_step, Number* y, long long y_step, Real<Number> c,
                       const Real<Number>* c_at, Sine s, const Sine* s_at) {
  const Real<Number> cosine = c_at != nullptr ? *c_at : c;
  const Sine sine = s_at != nullptr ? *s_at : s;
  for (long long i = first_index(); i < n; i += index_step()) {
    const Number of_x = x[i * x_step], of_y = y[i * y_step];
    x[i * x_step] = sum(product(cosine, of_x), product(sine, of_y));
    y[i * y_step] = sum(product(cosine, of_y), minus(product(conjugate(sine), of_x)));
  }
}
template __global__ void rotate(long long, float*, long long, float*, long long, float, const float*, float, const float*);
template __global__ void rotate(long long, double*, long long, double*, long long, double, const double*, double,
                                const double*);
template __global__ void rotate(long long, float2*, long long, float2*, long long, float, const float*, float,
                                const float*);
template __global__ void rotate(long long, double2*, long long, double2*, long long, double, const double*, double,
                                const double*);
template __global__ void rotate(long long, float2*, long long, float2*, long long, float, const float*, float2,
                                const float2*);
template __global__ void rotate(long long, double2*, long long, double2*, long long, double, const double*, double2,
                                const double2*);

/// The modified rotation with the matrix h, whose form is in `form` (BLAS, rotm): -2 is the identity.
template <class Number>
__global__ void rotate_modified(long long n, Number* x, long long x_step, Number* y, long long y_step,
                                const Number* form) {
  const Number flag = form[0];
  if (flag == -2) return;
  const Number h11 = flag == 0 ? Number(1) : form[1], h21 = flag == 1 ? Number(-1) : form[2];
  const Number h12 = flag == 1 ? Number(1) : form[3], h22 = flag == 0 ? Number(1) : form[4];
  for (long long i = first_index(); i < n; i += index_step()) {
    const Number of_x = x[i * x_step], of_y = y[i * y_step];
    x[i * x_step] = h11 * of_x + h12 * of_y;
    y[i * y_step] = h21 * of_x + h22 * of_y;
  }
}
template __global__ void rotate_modified(long long, float*, long long, float*, long long, const float*);
template __global__ void rotate_modified(long long, double*, long long, double*, long long, const double*);

}  // namespace stand_in::cublas

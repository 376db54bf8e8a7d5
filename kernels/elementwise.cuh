// Entries that compute each element independently, one thread per element: NAME_TYPE for contiguous tensors, and
// NAME_strided_TYPE for any views. f16 and bf16 are computed as floats and rounded once.
#pragma once

#include "elements.cuh"

// y = op(x, numbers...)
template <typename T, typename Op, typename... Numbers>
__device__ void each(const T* x, T* y, int n, Op op, Numbers... numbers) {
  const int i = element_of_thread();
  if (i < n) y[i] = rounded<T>(op(value_of(x[i]), numbers...));
}
template <typename T, typename Op, typename... Numbers>
__device__ void each(const T* x, T* y, const Layout<2>& layout, int n, Op op, Numbers... numbers) {
  const int i = element_of_thread();
  if (i >= n) return;
  const Places<2> at = places(layout, i);
  y[at.of[1]] = rounded<T>(op(value_of(x[at.of[0]]), numbers...));
}

// c = op(a, b)
template <typename T, typename Op>
__device__ void each_pair(const T* a, const T* b, T* c, int n, Op op) {
  const int i = element_of_thread();
  if (i < n) c[i] = rounded<T>(op(value_of(a[i]), value_of(b[i])));
}
template <typename T, typename Op>
__device__ void each_pair(const T* a, const T* b, T* c, const Layout<3>& layout, int n, Op op) {
  const int i = element_of_thread();
  if (i >= n) return;
  const Places<3> at = places(layout, i);
  c[at.of[2]] = rounded<T>(op(value_of(a[at.of[0]]), value_of(b[at.of[1]])));
}

#define UNARY_ENTRIES(name, Op, T)                                                                                   \
  extern "C" __global__ void name##_##T(const T* x, T* y, int n) { each(x, y, n, Op()); }                            \
  extern "C" __global__ void name##_strided_##T(const T* x, T* y, const __grid_constant__ Layout<2> layout, int n) { \
    each(x, y, layout, n, Op());                                                                                     \
  }

#define UNARY_NUMBER_ENTRIES(name, Op, T)                                                                             \
  extern "C" __global__ void name##_##T(const T* x, T* y, Computed<T> number, int n) { each(x, y, n, Op(), number); } \
  extern "C" __global__ void name##_strided_##T(const T* x, T* y, Computed<T> number,                                 \
                                                const __grid_constant__ Layout<2> layout, int n) {                    \
    each(x, y, layout, n, Op(), number);                                                                              \
  }

#define BINARY_ENTRIES(name, Op, T)                                                                           \
  extern "C" __global__ void name##_##T(const T* a, const T* b, T* c, int n) { each_pair(a, b, c, n, Op()); } \
  extern "C" __global__ void name##_strided_##T(const T* a, const T* b, T* c,                                 \
                                                const __grid_constant__ Layout<3> layout, int n) {            \
    each_pair(a, b, c, layout, n, Op());                                                                      \
  }

// y = x > threshold ? gradient : 0, element by element: the backward pass of relu (threshold 0).
//
// Shows: a backward op is a kernel like any other, with the forward op's input as one more argument. That is why
// autograd saves this input. Launch: any block, ceil(n / block) blocks; strides: gradient, x, y.
#include "arithmetic.cuh"

template <typename T>
__device__ void without_gaps(const T* gradient, const T* x, T* y, Computed<T> threshold, int n) {
  const int i = element_of_thread();
  if (i < n) y[i] = rounded<T>(ThresholdBackward()(value_of(gradient[i]), value_of(x[i]), threshold));
}

template <typename T>
__device__ void strided(const T* gradient, const T* x, T* y, Computed<T> threshold, const Layout<3>& layout, int n) {
  const int i = element_of_thread();
  if (i >= n) return;
  const Places<3> at = places(layout, i);
  y[at.of[2]] = rounded<T>(ThresholdBackward()(value_of(gradient[at.of[0]]), value_of(x[at.of[1]]), threshold));
}

#define ENTRIES(T)                                                                                                   \
  extern "C" __global__ void threshold_backward_##T(const T* gradient, const T* x, T* y, Computed<T> threshold,      \
                                                    int n) {                                                         \
    without_gaps(gradient, x, y, threshold, n);                                                                      \
  }                                                                                                                  \
  extern "C" __global__ void threshold_backward_strided_##T(                                                         \
      const T* gradient, const T* x, T* y, Computed<T> threshold, const __grid_constant__ Layout<3> layout, int n) { \
    strided(gradient, x, y, threshold, layout, n);                                                                   \
  }

ENTRIES(f16)
ENTRIES(bf16)
ENTRIES(f32)
ENTRIES(f64)
ENTRIES(i32)
ENTRIES(i64)

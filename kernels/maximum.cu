// c = the larger of a and b, element by element. The gradient goes to the larger input, or half to each if equal.
//
// Shows: comparisons become predicates and selects, and the warp does not diverge.
// Launch: any block, ceil(n / block) blocks; strides: a, b, c, and g, a, b, the gradient of a.
#include "elementwise.cuh"
#include "larger.cuh"

struct Maximum {
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return larger(a, b);
  }
};

// The gradient of a: 0 if a < b, which is false for NaN.
template <typename V>
__device__ V passed(V gradient, V a, V b) {
  return a == b ? gradient / V(2) : a < b ? V(0) : gradient;
}

template <typename T>
__device__ void without_gaps(const T* gradient, const T* a, const T* b, T* to, int n) {
  const int i = element_of_thread();
  if (i < n) to[i] = rounded<T>(passed(value_of(gradient[i]), value_of(a[i]), value_of(b[i])));
}

template <typename T>
__device__ void strided(const T* gradient, const T* a, const T* b, T* to, const Layout<4>& layout, int n) {
  const int i = element_of_thread();
  if (i >= n) return;
  const Places<4> at = places(layout, i);
  to[at.of[3]] = rounded<T>(passed(value_of(gradient[at.of[0]]), value_of(a[at.of[1]]), value_of(b[at.of[2]])));
}

#define BACKWARD(T)                                                                                          \
  extern "C" __global__ void maximum_backward_##T(const T* gradient, const T* a, const T* b, T* to, int n) { \
    without_gaps(gradient, a, b, to, n);                                                                     \
  }                                                                                                          \
  extern "C" __global__ void maximum_backward_strided_##T(const T* gradient, const T* a, const T* b, T* to,  \
                                                          const __grid_constant__ Layout<4> layout, int n) { \
    strided(gradient, a, b, to, layout, n);                                                                  \
  }

BINARY_ENTRIES(maximum, Maximum, f16)
BINARY_ENTRIES(maximum, Maximum, bf16)
BINARY_ENTRIES(maximum, Maximum, f32)
BINARY_ENTRIES(maximum, Maximum, f64)
BINARY_ENTRIES(maximum, Maximum, i32)
BINARY_ENTRIES(maximum, Maximum, i64)
BACKWARD(f16)
BACKWARD(bf16)
BACKWARD(f32)
BACKWARD(f64)

// y = x > 0 ? x : slope x, element by element; and its backward pass, gradient where x > 0 and slope gradient elsewhere.
//
// Shows: what an op of a library needs: one source for all types, with and without strides, and a kernel for the way
// back. Launch: any block, ceil(n / block) blocks; strides: x, y, and g, x, the gradient.
#include "elementwise.cuh"

struct LeakyRelu {
  template <typename V>
  __device__ V operator()(V x, V slope) const {
    return x > V(0) ? x : x * slope;
  }
};

template <typename V>
struct LeakyReluBackward {
  V slope;
  __device__ V operator()(V gradient, V x) const { return x > V(0) ? gradient : gradient * slope; }
};

#define ENTRIES(T)                                                                                                     \
  UNARY_NUMBER_ENTRIES(leaky_relu, LeakyRelu, T)                                                                       \
  extern "C" __global__ void leaky_relu_backward_##T(const T* g, const T* x, T* y, Computed<T> slope, int n) {         \
    each_pair(g, x, y, n, LeakyReluBackward<Computed<T>>{slope});                                                      \
  }                                                                                                                    \
  extern "C" __global__ void leaky_relu_backward_strided_##T(const T* g, const T* x, T* y, Computed<T> slope,          \
                                                             const __grid_constant__ Layout<3> layout, int n) {        \
    each_pair(g, x, y, layout, n, LeakyReluBackward<Computed<T>>{slope});                                              \
  }

ENTRIES(f16)
ENTRIES(bf16)
ENTRIES(f32)
ENTRIES(f64)

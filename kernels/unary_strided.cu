// y = op(x), element by element, for tensors with any strides: transposed, sliced, broadcast.
//
// Shows: the cost of strides. A thread computes the address of its element with divisions, and adjacent lanes no longer
// access adjacent words. Launch: any block, ceil(n / block) blocks; strides: x, y.
#include "arithmetic.cuh"

template <typename T, typename Op>
__device__ void unary(const T* x, T* y, const Layout<2>& layout, int n, Op op) {
  const int i = element_of_thread();
  if (i >= n) return;
  const Places<2> at = places(layout, i);
  y[at.of[1]] = rounded<T>(op(value_of(x[at.of[0]])));
}

#define ENTRY(name, Op, T)                                                                                           \
  extern "C" __global__ void name##_strided_##T(const T* x, T* y, const __grid_constant__ Layout<2> layout, int n) { \
    unary(x, y, layout, n, Op());                                                                                    \
  }

ENTRY(neg, Neg, f16)
ENTRY(neg, Neg, bf16)
ENTRY(neg, Neg, f32)
ENTRY(neg, Neg, f64)
ENTRY(neg, Neg, i32)
ENTRY(neg, Neg, i64)
ENTRY(relu, Relu, f16)
ENTRY(relu, Relu, bf16)
ENTRY(relu, Relu, f32)
ENTRY(relu, Relu, f64)
ENTRY(relu, Relu, i32)
ENTRY(relu, Relu, i64)
ENTRY(exp, Exp, f16)
ENTRY(exp, Exp, bf16)
ENTRY(exp, Exp, f32)
ENTRY(exp, Exp, f64)
ENTRY(sqrt, Sqrt, f16)
ENTRY(sqrt, Sqrt, bf16)
ENTRY(sqrt, Sqrt, f32)
ENTRY(sqrt, Sqrt, f64)

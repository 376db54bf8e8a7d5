// y = op(x), element by element: neg, relu, exp, sqrt. One thread per element, for contiguous tensors.
//
// Shows: the same few instructions around different arithmetic. f16 and bf16 are computed as floats and rounded once.
// Launch: any block, ceil(n / block) blocks. relu of floats has a separate file.
#include "arithmetic.cuh"

template <typename T, typename Op>
__device__ void unary(const T* x, T* y, int n, Op op) {
  const int i = element_of_thread();
  if (i < n) y[i] = rounded<T>(op(value_of(x[i])));
}

#define ENTRY(name, Op, T) \
  extern "C" __global__ void name##_##T(const T* x, T* y, int n) { unary(x, y, n, Op()); }

ENTRY(neg, Neg, f16)
ENTRY(neg, Neg, bf16)
ENTRY(neg, Neg, f32)
ENTRY(neg, Neg, f64)
ENTRY(neg, Neg, i32)
ENTRY(neg, Neg, i64)
ENTRY(relu, Relu, f16)
ENTRY(relu, Relu, bf16)
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

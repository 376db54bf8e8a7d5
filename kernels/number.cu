// y = op(x, number): add, mul, div with a number from the caller. One thread per element, for contiguous tensors.
//
// Shows: an argument that all threads share. It is passed with the launch, in constant memory, and needs no load per
// element. Launch: any block, ceil(n / block) blocks.
#include "arithmetic.cuh"

template <typename T, typename Op>
__device__ void with_number(const T* x, T* y, Computed<T> number, int n, Op op) {
  const int i = element_of_thread();
  if (i < n) y[i] = rounded<T>(op(value_of(x[i]), number));
}

#define ENTRY(name, Op, T)                                                                    \
  extern "C" __global__ void name##_number_##T(const T* x, T* y, Computed<T> number, int n) { \
    with_number(x, y, number, n, Op());                                                       \
  }

ENTRY(add, Add, f16)
ENTRY(add, Add, bf16)
ENTRY(add, Add, f32)
ENTRY(add, Add, f64)
ENTRY(add, Add, i32)
ENTRY(add, Add, i64)
ENTRY(mul, Mul, f16)
ENTRY(mul, Mul, bf16)
ENTRY(mul, Mul, f32)
ENTRY(mul, Mul, f64)
ENTRY(mul, Mul, i32)
ENTRY(mul, Mul, i64)
ENTRY(div, Div, f16)
ENTRY(div, Div, bf16)
ENTRY(div, Div, f32)
ENTRY(div, Div, f64)

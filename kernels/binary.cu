// c = op(a, b), element by element: add, sub, mul, div. One thread per element, for contiguous tensors.
//
// Shows: three memory streams and one arithmetic instruction between them. f16 and bf16 are computed as floats and
// rounded once. Launch: any block, ceil(n / block) blocks. The sum of floats is in a separate file, vecadd.cu.
#include "arithmetic.cuh"

template <typename T, typename Op>
__device__ void binary(const T* a, const T* b, T* c, int n, Op op) {
  const int i = element_of_thread();
  if (i < n) c[i] = rounded<T>(op(value_of(a[i]), value_of(b[i])));
}

#define ENTRY(name, Op, T) \
  extern "C" __global__ void name##_##T(const T* a, const T* b, T* c, int n) { binary(a, b, c, n, Op()); }

ENTRY(add, Add, f16)
ENTRY(add, Add, bf16)
ENTRY(add, Add, f64)
ENTRY(add, Add, i32)
ENTRY(add, Add, i64)
ENTRY(sub, Sub, f16)
ENTRY(sub, Sub, bf16)
ENTRY(sub, Sub, f32)
ENTRY(sub, Sub, f64)
ENTRY(sub, Sub, i32)
ENTRY(sub, Sub, i64)
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

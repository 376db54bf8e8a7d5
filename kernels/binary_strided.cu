// c = op(a, b), element by element, for tensors with any strides: transposed, sliced, broadcast.
//
// Shows: broadcasting. A row that is added to every row of a matrix is read with a row stride of 0, without a copy.
// Launch: any block, ceil(n / block) blocks; strides: a, b, c.
#include "arithmetic.cuh"

template <typename T, typename Op>
__device__ void binary(const T* a, const T* b, T* c, const Layout<3>& layout, int n, Op op) {
  const int i = element_of_thread();
  if (i >= n) return;
  const Places<3> at = places(layout, i);
  c[at.of[2]] = rounded<T>(op(value_of(a[at.of[0]]), value_of(b[at.of[1]])));
}

#define ENTRY(name, Op, T)                                                                         \
  extern "C" __global__ void name##_strided_##T(const T* a, const T* b, T* c,                      \
                                                const __grid_constant__ Layout<3> layout, int n) { \
    binary(a, b, c, layout, n, Op());                                                              \
  }

ENTRY(add, Add, f16)
ENTRY(add, Add, bf16)
ENTRY(add, Add, f32)
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

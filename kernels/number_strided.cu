// y = op(x, number) for tensors with any strides: transposed, sliced, broadcast.
//
// Shows: the same as number.cu, plus the divisions that find an element by its strides.
// Launch: any block, ceil(n / block) blocks; strides: x, y.
#include "arithmetic.cuh"

template <typename T, typename Op>
__device__ void with_number(const T* x, T* y, Computed<T> number, const Layout<2>& layout, int n, Op op) {
  const int i = element_of_thread();
  if (i >= n) return;
  const Places<2> at = places(layout, i);
  y[at.of[1]] = rounded<T>(op(value_of(x[at.of[0]]), number));
}

#define ENTRY(name, Op, T)                                                                                \
  extern "C" __global__ void name##_number_strided_##T(const T* x, T* y, Computed<T> number,              \
                                                       const __grid_constant__ Layout<2> layout, int n) { \
    with_number(x, y, number, layout, n, Op());                                                           \
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

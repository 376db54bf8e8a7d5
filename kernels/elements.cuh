// What the kernels of the tensor library share: how an element is computed with, and where it lies.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using f16 = __half;
using bf16 = __nv_bfloat16;
using f32 = float;
using f64 = double;
using i32 = int;
using i64 = long long;

// An element of so many bits that only moves.
using b16 = unsigned short;
using b32 = unsigned;
using b64 = unsigned long long;

// The type that an element is computed in: a float for the short ones, rounded once at the end, and unsigned integers,
// which wrap around.
template <typename T>
struct ComputedIn {
  using type = T;
};
template <>
struct ComputedIn<f16> {
  using type = float;
};
template <>
struct ComputedIn<bf16> {
  using type = float;
};
template <>
struct ComputedIn<i32> {
  using type = unsigned;
};
template <>
struct ComputedIn<i64> {
  using type = unsigned long long;
};
template <typename T>
using Computed = typename ComputedIn<T>::type;

template <typename T>
__device__ Computed<T> value_of(T element) {
  return static_cast<Computed<T>>(element);
}

template <typename T, typename V>
__device__ T rounded(V value) {
  return static_cast<T>(value);
}

// Computed integers with their sign, for comparisons.
__device__ inline float with_sign(float x) { return x; }
__device__ inline double with_sign(double x) { return x; }
__device__ inline int with_sign(unsigned x) { return static_cast<int>(x); }
__device__ inline long long with_sign(unsigned long long x) { return static_cast<long long>(x); }

// The element of this thread, one thread an element.
__device__ inline int element_of_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Tensors of the same sizes that are visited together: sizes and strides in elements, the innermost dimension first. A
// stride of 0 repeats an element, which is how a smaller tensor is broadcast.
constexpr int most_dims = 8;

template <int tensors>
struct Layout {
  int rank;
  int sizes[most_dims];
  long long strides[tensors][most_dims];
};

template <int tensors>
struct Places {
  long long of[tensors];
};

// Where element number `element`, in row-major order, lies in each tensor.
template <int tensors>
__device__ Places<tensors> places(const Layout<tensors>& layout, int element) {
  Places<tensors> found = {};
  unsigned rest = element;
#pragma unroll 1  // ranks are small: unrolled, it would only be longer
  for (int d = 0; d < layout.rank; ++d) {
    const unsigned size = layout.sizes[d], index = rest % size;
    rest /= size;
    for (int t = 0; t < tensors; ++t) found.of[t] += index * layout.strides[t][d];
  }
  return found;
}

// Shared by the kernels of the tensor library: element types for computing, and element addresses.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using f16 = __half;
using bf16 = __nv_bfloat16;
using f32 = float;
using f64 = double;
using i32 = int;
using i64 = long long;

// An element of this many bits that is only copied.
using b16 = unsigned short;
using b32 = unsigned;
using b64 = unsigned long long;

// The type in which an element is computed: float for f16 and bf16, rounded once at the end, and unsigned types for
// integers, which wrap around.
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

// Computed integers converted back to signed, for comparisons.
__device__ inline float with_sign(float x) { return x; }
__device__ inline double with_sign(double x) { return x; }
__device__ inline int with_sign(unsigned x) { return static_cast<int>(x); }
__device__ inline long long with_sign(unsigned long long x) { return static_cast<long long>(x); }

// The index of this thread's element, with one thread per element.
__device__ inline int element_of_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// The layout of tensors of the same sizes that are accessed together. Sizes and strides are in elements, innermost
// dimension first. A stride of 0 repeats an element, which broadcasts a smaller tensor.
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

// The offset in each tensor of element number `element` in row-major order.
template <int tensors>
__device__ Places<tensors> places(const Layout<tensors>& layout, int element) {
  Places<tensors> found = {};
  unsigned rest = element;
#pragma unroll 1  // ranks are small: unrolling would only add code
  for (int d = 0; d < layout.rank; ++d) {
    const unsigned size = layout.sizes[d], index = rest % size;
    rest /= size;
    for (int t = 0; t < tensors; ++t) found.of[t] += index * layout.strides[t][d];
  }
  return found;
}

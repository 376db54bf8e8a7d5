// y = the maximum of x over some of its dimensions: `kept` are those that remain, `reduced` those that are reduced.
// Also a mask of the elements that equal the maximum, for the backward pass.
//
// Shows: the two ways of sum.cu to share the work, with a comparison instead of the addition. The order of comparisons
// does not matter, so atomics would give the same result; here lanes, then warps compare.
// Launch: amax: whole warps, up to 1024 threads; outputs x ceil(count / part) blocks. amax_columns: any block,
// ceil(outputs / block) blocks. equal_mask: any block, ceil(n / block) blocks; strides: x, the maximum, the mask.
#include "elementwise.cuh"
#include "larger.cuh"
#include "over_block.cuh"

struct Larger {
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return larger(a, b);
  }
};

template <typename T>
__device__ void amax(const T* x, T* y, const Layout<1>& kept, const Layout<1>& reduced, int count, int part) {
  using V = Computed<T>;
  __shared__ V of_warp[32];
  const T* const from = x + places(kept, blockIdx.x).of[0];
  const int first = blockIdx.y * part, last = count - first < part ? count : first + part;
  // Threads without an element use the first one.
  V largest = value_of(from[places(reduced, first).of[0]]);
#pragma unroll 1
  for (int i = first + threadIdx.x; i < last; i += blockDim.x)
    largest = larger(largest, value_of(from[places(reduced, i).of[0]]));
  largest = over_block(largest, of_warp, Larger());
  if (threadIdx.x == 0) y[static_cast<long long>(blockIdx.x) * gridDim.y + blockIdx.y] = rounded<T>(largest);
}

template <typename T>
__device__ void amax_columns(const T* x, T* y, const Layout<1>& kept, const Layout<1>& reduced, int outputs,
                             int count) {
  const int output = element_of_thread();
  if (output >= outputs) return;
  const T* const from = x + places(kept, output).of[0];
  Computed<T> largest = value_of(from[places(reduced, 0).of[0]]);
#pragma unroll 1
  for (int i = 1; i < count; ++i) largest = larger(largest, value_of(from[places(reduced, i).of[0]]));
  y[output] = rounded<T>(largest);
}

struct EqualMask {  // NaN equals NaN
  template <typename V>
  __device__ V operator()(V x, V largest) const {
    return x == largest || (x != x && largest != largest) ? V(1) : V(0);
  }
};

#define ENTRIES(T)                                                                                            \
  extern "C" __global__ void amax_##T##_##T(const T* x, T* y, const __grid_constant__ Layout<1> kept,         \
                                            const __grid_constant__ Layout<1> reduced, int count, int part) { \
    amax(x, y, kept, reduced, count, part);                                                                   \
  }                                                                                                           \
  extern "C" __global__ void amax_columns_##T##_##T(const T* x, T* y, const __grid_constant__ Layout<1> kept, \
                                                    const __grid_constant__ Layout<1> reduced, int outputs,   \
                                                    int count) {                                              \
    amax_columns(x, y, kept, reduced, outputs, count);                                                        \
  }

ENTRIES(f16)
ENTRIES(bf16)
ENTRIES(f32)
ENTRIES(f64)
ENTRIES(i32)
ENTRIES(i64)
BINARY_ENTRIES(equal_mask, EqualMask, f16)
BINARY_ENTRIES(equal_mask, EqualMask, bf16)
BINARY_ENTRIES(equal_mask, EqualMask, f32)
BINARY_ENTRIES(equal_mask, EqualMask, f64)

// y = sums of x over some of its dimensions: `kept` are those that remain, `reduced` those that are added up.
//
// Shows: two ways to share the work. sum: one block per output (several if `part` is less than the count; a second
// launch then adds their partial sums). Threads, then lanes, then warps add in a fixed order, so the result is always
// the same. Float atomics cannot guarantee that. sum_columns: one thread per output, so adjacent lanes read adjacent
// columns.
// Launch: sum: whole warps, up to 1024 threads; outputs x ceil(count / part) blocks. sum_columns: any block,
// ceil(outputs / block) blocks.
#include "block_sum.cuh"
#include "elements.cuh"

// f16 and bf16 are added as floats, integers in 64 bits.
template <typename T>
struct AddedIn {
  using type = Computed<T>;
};
template <>
struct AddedIn<i32> {
  using type = unsigned long long;
};
template <typename T>
using Added = typename AddedIn<T>::type;

// Integers are sign-extended to 64 bits.
__device__ inline unsigned long long added(i32 x) { return static_cast<unsigned long long>(static_cast<long long>(x)); }
template <typename T>
__device__ Computed<T> added(T x) {
  return value_of(x);
}

template <typename To, typename T>
__device__ void sum(const T* x, To* y, const Layout<1>& kept, const Layout<1>& reduced, int count, int part) {
  __shared__ Added<T> of_warp[32];
  const T* const from = x + places(kept, blockIdx.x).of[0];
  const int first = blockIdx.y * part, last = count - first < part ? count : first + part;
  Added<T> total = 0;
#pragma unroll 1
  for (int i = first + threadIdx.x; i < last; i += blockDim.x) total += added(from[places(reduced, i).of[0]]);
  total = block_sum(total, of_warp);
  if (threadIdx.x == 0) y[static_cast<long long>(blockIdx.x) * gridDim.y + blockIdx.y] = rounded<To>(total);
}

template <typename To, typename T>
__device__ void sum_columns(const T* x, To* y, const Layout<1>& kept, const Layout<1>& reduced, int outputs,
                            int count) {
  const int output = element_of_thread();
  if (output >= outputs) return;
  const T* const from = x + places(kept, output).of[0];
  Added<T> total = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i) total += added(from[places(reduced, i).of[0]]);
  y[output] = rounded<To>(total);
}

#define SUM(T, To)                                                                                            \
  extern "C" __global__ void sum_##T##_##To(const T* x, To* y, const __grid_constant__ Layout<1> kept,        \
                                            const __grid_constant__ Layout<1> reduced, int count, int part) { \
    sum(x, y, kept, reduced, count, part);                                                                    \
  }
#define SUM_COLUMNS(T, To)                                                                                     \
  extern "C" __global__ void sum_columns_##T##_##To(const T* x, To* y, const __grid_constant__ Layout<1> kept, \
                                                    const __grid_constant__ Layout<1> reduced, int outputs,    \
                                                    int count) {                                               \
    sum_columns(x, y, kept, reduced, outputs, count);                                                          \
  }

SUM(f16, f16)
SUM(bf16, bf16)
SUM(f32, f32)
SUM(f64, f64)
SUM(i32, i64)
SUM(i64, i64)
SUM(f16, f32)  // partial sums, then their conversion to the result type
SUM(bf16, f32)
SUM(f32, f16)
SUM(f32, bf16)
SUM_COLUMNS(f16, f16)
SUM_COLUMNS(bf16, bf16)
SUM_COLUMNS(f32, f32)
SUM_COLUMNS(f64, f64)
SUM_COLUMNS(i32, i64)
SUM_COLUMNS(i64, i64)

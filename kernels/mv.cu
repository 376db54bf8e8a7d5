// y = A x: one block per row of A (m x k). With one row, this is the dot product of two vectors.
//
// Shows: a product that reads each element of A once, so it is limited only by memory. The partial sums of the threads
// are added by lanes, then warps, in a fixed order. Launch: whole warps, up to 1024 threads; m blocks.
#include "block_sum.cuh"
#include "elements.cuh"

template <typename T>
__device__ void product(const T* A, const T* x, T* y, int k, long long row, long long column, long long step) {
  __shared__ Computed<T> of_warp[32];
  const T* const from = A + blockIdx.x * row;
  Computed<T> sum = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < k; i += blockDim.x) sum += value_of(from[i * column]) * value_of(x[i * step]);
  sum = block_sum(sum, of_warp);
  if (threadIdx.x == 0) y[blockIdx.x] = rounded<T>(sum);
}

#define ENTRY(T)                                                                                          \
  extern "C" __global__ void mv_##T(const T* A, const T* x, T* y, int k, long long row, long long column, \
                                    long long step) {                                                     \
    product(A, x, y, k, row, column, step);                                                               \
  }

ENTRY(f16)
ENTRY(bf16)
ENTRY(f32)
ENTRY(f64)
ENTRY(i32)
ENTRY(i64)

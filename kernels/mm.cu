// C = A B for a batch of matrices with any strides, in tiles of 16 x 16: A is m x k, B is k x n, C is contiguous.
//
// Shows: matmul_tiled for every type and every view. Only the addresses of the loads depend on the strides. The tiles
// in shared memory look the same, so a transposed view needs no copy. f16 and bf16 are multiplied and added as floats.
// Launch: block 16 x 16, ceil(m / 16) * ceil(n / 16) blocks in x, up to 65535 in z for the batch.
#include "elements.cuh"

constexpr int tile = 16;

struct Strides {
  long long batch, row, column;
};

template <typename T>
__device__ void product(const T* A, const T* B, T* C, int batch, int m, int n, int k, const Strides& of_a,
                        const Strides& of_b) {
  __shared__ Computed<T> a[tile][tile], b[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y, across = (n - 1) / tile + 1;
  const int row = blockIdx.x / across * tile + ty, column = blockIdx.x % across * tile + tx;
  for (int which = blockIdx.z; which < batch; which += gridDim.z) {
    const T* const from_a = A + which * of_a.batch + row * of_a.row;
    const T* const from_b = B + which * of_b.batch + column * of_b.column;
    Computed<T> sum = 0;
    for (int base = 0; base < k; base += tile) {
      a[ty][tx] = row < m && base + tx < k ? value_of(from_a[(base + tx) * of_a.column]) : Computed<T>(0);
      b[ty][tx] = base + ty < k && column < n ? value_of(from_b[(base + ty) * of_b.row]) : Computed<T>(0);
      __syncthreads();  // the tiles are loaded
      for (int i = 0; i < tile; ++i) sum += a[ty][i] * b[i][tx];
      __syncthreads();  // all threads have finished reading the tiles
    }
    if (row < m && column < n) C[(static_cast<long long>(which) * m + row) * n + column] = rounded<T>(sum);
  }
}

#define ENTRY(T)                                                                                                \
  extern "C" __global__ void mm_##T(const T* A, const T* B, T* C, int batch, int m, int n, int k, Strides of_a, \
                                    Strides of_b) {                                                             \
    product(A, B, C, batch, m, n, k, of_a, of_b);                                                               \
  }

ENTRY(f16)
ENTRY(bf16)
ENTRY(f32)
ENTRY(f64)
ENTRY(i32)
ENTRY(i64)

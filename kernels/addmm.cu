// D = C + A B for matrices with any strides, in tiles of 16 x 16: A is m x k, B is k x n, C is m x n, where a stride of
// 0 repeats a row: the bias of a linear layer. D has no gaps.
//
// Shows: what a library fuses. The sum starts from C instead of 0, so that the bias costs one load per element and no
// kernel of its own. Launch: block 16 x 16, ceil(m / 16) * ceil(n / 16) blocks.
#include "elements.cuh"

constexpr int tile = 16;

struct Strides {
  long long batch, row, column;
};

template <typename T>
__device__ void sum_and_product(const T* C, const T* A, const T* B, T* D, int m, int n, int k, const Strides& of_c,
                                const Strides& of_a, const Strides& of_b) {
  __shared__ Computed<T> a[tile][tile], b[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y, across = (n - 1) / tile + 1;
  const int row = blockIdx.x / across * tile + ty, column = blockIdx.x % across * tile + tx;
  const bool inside = row < m && column < n;
  const T* const from_a = A + row * of_a.row;
  const T* const from_b = B + column * of_b.column;
  Computed<T> sum = inside ? value_of(C[row * of_c.row + column * of_c.column]) : Computed<T>(0);
  for (int base = 0; base < k; base += tile) {
    a[ty][tx] = row < m && base + tx < k ? value_of(from_a[(base + tx) * of_a.column]) : Computed<T>(0);
    b[ty][tx] = base + ty < k && column < n ? value_of(from_b[(base + ty) * of_b.row]) : Computed<T>(0);
    __syncthreads();  // the tiles are full
    for (int i = 0; i < tile; ++i) sum += a[ty][i] * b[i][tx];
    __syncthreads();  // all threads have read them
  }
  if (inside) D[static_cast<long long>(row) * n + column] = rounded<T>(sum);
}

#define ENTRY(T)                                                                                                    \
  extern "C" __global__ void addmm_##T(const T* C, const T* A, const T* B, T* D, int m, int n, int k, Strides of_c, \
                                       Strides of_a, Strides of_b) {                                                \
    sum_and_product(C, A, B, D, m, n, k, of_c, of_a, of_b);                                                         \
  }

ENTRY(f16)
ENTRY(bf16)
ENTRY(f32)
ENTRY(f64)
ENTRY(i32)
ENTRY(i64)

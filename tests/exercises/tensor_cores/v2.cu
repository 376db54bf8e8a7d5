// A single warp computes up to two tiles one after the other, so few warps are at work; one step at a time.
// launch: grid n / 16 x (m + 31) / 32, block 32
#include <mma.h>

using namespace nvcuda;

__global__ void matmul(const __half* a, const __half* b, float* c, int m, int n, int k) {
  int col = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
#pragma unroll 1
  for (int row = blockIdx.y * 32; row < min(m, (int)blockIdx.y * 32 + 32); row += 16) {
    wmma::fill_fragment(sum, 0.0f);
#pragma unroll 1
    for (int j = 0; j < k; j += 16) {
      wmma::load_matrix_sync(left, a + row * k + j, k);
      wmma::load_matrix_sync(right, b + j * n + col, n);
      wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * n + col, sum, n, wmma::mem_row_major);
  }
}

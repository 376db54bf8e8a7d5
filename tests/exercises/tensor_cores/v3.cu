// One warp per tile of 16 x 16, fragments straight from global memory; the loads of several steps overlap.
// launch: grid n / 16 x m / 16, block 32
#include <mma.h>

using namespace nvcuda;

__global__ void matmul(const __half* a, const __half* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * 16, col = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
#pragma unroll 4
  for (int j = 0; j < k; j += 16) {
    wmma::load_matrix_sync(left, a + row * k + j, k);
    wmma::load_matrix_sync(right, b + j * n + col, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + col, sum, n, wmma::mem_row_major);
}

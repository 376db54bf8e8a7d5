// The steps over k are divided among the two warps of a block; the partial tiles are added in shared memory.
// launch: grid n / 16 x m / 16, block 64
#include <mma.h>

using namespace nvcuda;

constexpr int warps = 2;

__global__ void matmul(const __half* a, const __half* b, float* c, int m, int n, int k) {
  __shared__ float part[warps][16 * 16];
  int row = blockIdx.y * 16, col = blockIdx.x * 16, warp = threadIdx.x / 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int j = warp * 16; j < k; j += warps * 16) {
    wmma::load_matrix_sync(left, a + row * k + j, k);
    wmma::load_matrix_sync(right, b + j * n + col, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(part[warp], sum, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += warps * 32) {
    float all = 0;
    for (int w = 0; w < warps; ++w) all += part[w][i];
    c[(row + i / 16) * n + col + i % 16] = all;
  }
}

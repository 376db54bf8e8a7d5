// nvcc: -arch=sm_75
// nvcuda::wmma: a 32x32x48 product of halves in 16x16x16 tiles, one warp per tile, row-major and column-major matrices.
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void wmma_product(const __half* a, const __half* b, const float* c, float* d, __half* e) {
  const int m = threadIdx.x / 32 / 2 * 16, n = threadIdx.x / 32 % 2 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> half_sum;
  wmma::load_matrix_sync(sum, c + m * 32 + n, 32, wmma::mem_row_major);
  wmma::fill_fragment(half_sum, __float2half(0.5f));
  for (int k = 0; k < 48; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> y;
    wmma::load_matrix_sync(x, a + m * 48 + k, 48);
    wmma::load_matrix_sync(y, b + n * 48 + k, 48);
    wmma::mma_sync(sum, x, y, sum);
    wmma::mma_sync(half_sum, x, y, half_sum);
  }
  for (int t = 0; t < sum.num_elements; ++t) sum.x[t] = sum.x[t] * 0.5f;
  wmma::store_matrix_sync(d + m * 32 + n, sum, 32, wmma::mem_row_major);
  wmma::store_matrix_sync(e + n * 32 + m, half_sum, 32, wmma::mem_col_major);
}

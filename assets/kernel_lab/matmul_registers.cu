// c = a b, n x n. Tiles in shared memory, and each thread keeps 2 x 2 elements of c in registers.
__global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float at[32][32], bt[32][32];
  int x = threadIdx.x, y = threadIdx.y;  // 16 x 16 threads
  int left = blockIdx.x * 32, top = blockIdx.y * 32;
  float sum[2][2] = {};
  for (int k = 0; k < n; k += 32) {
    for (int p = 0; p < 32; p += 16)
      for (int q = 0; q < 32; q += 16) {
        at[y + p][x + q] = a[(top + y + p) * n + k + x + q];
        bt[y + p][x + q] = b[(k + y + p) * n + left + x + q];
      }
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      for (int p = 0; p < 2; ++p)
        for (int q = 0; q < 2; ++q) sum[p][q] += at[y + 16 * p][j] * bt[j][x + 16 * q];
    __syncthreads();
  }
  for (int p = 0; p < 2; ++p)
    for (int q = 0; q < 2; ++q) c[(top + y + 16 * p) * n + left + x + 16 * q] = sum[p][q];
}

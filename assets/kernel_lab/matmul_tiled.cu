// c = a b, n x n. A block loads tiles of 32 x 32 into shared memory and uses each element 32 times.
__global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float at[32][32], bt[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    at[y][x] = a[row * n + k + x];
    bt[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int j = 0; j < 32; ++j) sum += at[y][j] * bt[j][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Tiles of 32 x 32 in shared memory, one element of c per thread.
// launch: grid (n + 31) / 32 x (m + 31) / 32, block 32 x 32
constexpr int tile = 32;
__global__ void matmul_relu(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float at[tile][tile], bt[tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int col = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
  float sum = 0;
  for (int j = 0; j < k; j += tile) {
    at[y][x] = row < m && j + x < k ? a[row * k + j + x] : 0;
    bt[y][x] = j + y < k && col < n ? b[(j + y) * n + col] : 0;
    __syncthreads();
    for (int d = 0; d < tile; ++d) sum += at[y][d] * bt[d][x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = fmaxf(sum, 0);
}

// Tiles of 16 x 16 and 16 x 32 in shared memory; each thread computes two elements of a row of c.
// launch: grid n / 32 x m / 16, block 16 x 16
constexpr int tile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float at[tile][tile], bt[tile][2 * tile];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 2 * tile + x, row = blockIdx.y * tile + y;
  float left = 0, right = 0;
  for (int first = 0; first < k; first += tile) {
    at[y][x] = a[row * k + first + x];
    bt[y][x] = b[(first + y) * n + column];
    bt[y][x + tile] = b[(first + y) * n + column + tile];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i) {
      left += at[y][i] * bt[i][x];
      right += at[y][i] * bt[i][x + tile];
    }
    __syncthreads();
  }
  c[row * n + column] = left;
  c[row * n + column + tile] = right;
}

// Tiles of 16 rows or columns and a depth of 64: each thread has eight loads under way in each of few rounds.
constexpr int tile = 16, depth = 64;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float at[tile][depth], bt[depth][tile];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
  float sum = 0;
  for (int first = 0; first < k; first += depth) {
#pragma unroll
    for (int d = 0; d < depth; d += tile) {
      at[y][d + x] = row < m && first + d + x < k ? a[row * k + first + d + x] : 0;
      bt[d + y][x] = first + d + y < k && column < n ? b[(first + d + y) * n + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < depth; ++i) sum += at[y][i] * bt[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

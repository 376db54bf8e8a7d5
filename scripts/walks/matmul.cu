// c = a b: a has m rows of `depth` numbers, b has `depth` rows of n numbers. Each block computes a tile of c.
constexpr int tile = 16;

extern "C" __global__ void __launch_bounds__(tile * tile, 1)
    matmul(const float* a, const float* b, float* c, int m, int n, int depth) {
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
  float sum = 0;
  for (int k = 0; k < depth; k += tile) {
    // Each thread loads one element of either tile, or 0 beyond the edge of its matrix.
    a_tile[y][x] = row < m && k + x < depth ? a[row * depth + k + x] : 0;
    b_tile[y][x] = k + y < depth && column < n ? b[(k + y) * n + column] : 0;
    __syncthreads();  // both tiles are loaded
    if (row < m && column < n)
      for (int i = 0; i < tile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();  // all threads have finished reading the tiles
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

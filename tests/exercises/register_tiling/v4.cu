// Tiles of 32 x 16 and 16 x 32 in shared memory; each thread computes 2 x 2 elements of c.
// launch: grid n / 32 x m / 32, block 16 x 16
constexpr int side = 16;

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float at[2 * side][side], bt[side][2 * side];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 2 * side + x, row = blockIdx.y * 2 * side + y;
  float sum[2][2] = {};
  for (int first = 0; first < k; first += side) {
#pragma unroll
    for (int half = 0; half < 2 * side; half += side) {
      at[y + half][x] = a[(row + half) * k + first + x];
      bt[y][x + half] = b[(first + y) * n + column + half];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < side; ++i)
#pragma unroll
      for (int p = 0; p < 2; ++p)
#pragma unroll
        for (int q = 0; q < 2; ++q) sum[p][q] += at[y + side * p][i] * bt[i][x + side * q];
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < 2; ++p)
#pragma unroll
    for (int q = 0; q < 2; ++q) c[(row + side * p) * n + column + side * q] = sum[p][q];
}

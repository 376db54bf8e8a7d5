// C = A B in tiles of 64 x 64. Each thread computes 4 x 4 elements in registers. A is m x k, B is k x n, all of any
// size.
//
// Shows: the step after matmul_tiled, where every multiplication loads two words from shared memory, which limits the
// speed. Here 8 words feed 16 multiplications. The price is more registers, hence fewer active warps.
// Launch: block 16 x 16, ceil(n / 64) x ceil(m / 64) blocks.
constexpr int side = 64;    // size of the block's tile of C
constexpr int depth = 16;   // depth of the tiles of A and B
constexpr int each = 4;     // rows and columns per thread
constexpr int across = 16;  // threads in a row of the block

extern "C" __global__ void matmul_registers(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float a[depth][side + 1];  // A's tile, transposed; the extra column avoids bank conflicts of its stores
  __shared__ float b[depth][side];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * side, left = blockIdx.x * side;
  float sum[each][each] = {};
  for (int base = 0; base < k; base += depth) {
    for (int part = 0; part < each; ++part) {
      const int row = part * across + ty, column = part * across + tx;
      a[tx][row] = top + row < m && base + tx < k ? A[(top + row) * k + base + tx] : 0.0f;
      b[ty][column] = base + ty < k && left + column < n ? B[(base + ty) * n + left + column] : 0.0f;
    }
    __syncthreads();  // the tiles are loaded
    for (int i = 0; i < depth; ++i) {
      float x[each], y[each];
      for (int r = 0; r < each; ++r) x[r] = a[i][r * across + ty];
      for (int c = 0; c < each; ++c) y[c] = b[i][c * across + tx];
      for (int r = 0; r < each; ++r)
        for (int c = 0; c < each; ++c) sum[r][c] += x[r] * y[c];
    }
    __syncthreads();  // all threads have finished reading the tiles
  }
  for (int r = 0; r < each; ++r) {
    for (int c = 0; c < each; ++c) {
      const int row = top + r * across + ty, column = left + c * across + tx;
      if (row < m && column < n) C[row * n + column] = sum[r][c];
    }
  }
}

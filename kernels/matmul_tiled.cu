// C = A B in tiles of 16 x 16: A is m x k, B is k x n, all of any size.
//
// Shows: shared memory as a scratch pad. The block loads a tile of A and a tile of B, waits for all threads, multiplies
// the tiles, and waits again before it overwrites them. Each word of global memory is read a sixteenth as often as in
// matmul_naive. Elements outside of a matrix are loaded as 0. Launch: block 16 x 16, ceil(n / 16) x ceil(m / 16)
// blocks.
constexpr int tile = 16;

extern "C" __global__ void matmul_tiled(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float a[tile][tile], b[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
  float sum = 0.0f;
  for (int base = 0; base < k; base += tile) {
    a[ty][tx] = row < m && base + tx < k ? A[row * k + base + tx] : 0.0f;
    b[ty][tx] = base + ty < k && column < n ? B[(base + ty) * n + column] : 0.0f;
    __syncthreads();  // the tiles are loaded
    for (int i = 0; i < tile; ++i) sum += a[ty][i] * b[i][tx];
    __syncthreads();  // all threads have finished reading the tiles
  }
  if (row < m && column < n) C[row * n + column] = sum;
}

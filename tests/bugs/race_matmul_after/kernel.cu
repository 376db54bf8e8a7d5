// A tiled matrix product without the barrier between reading the tiles and overwriting them.
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float a[16][16], b[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int base = 0; base < n; base += 16) {
    a[ty][tx] = A[row * n + base + tx];
    b[ty][tx] = B[(base + ty) * n + column];  // BUG: others may still read the previous tile
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a[ty][i] * b[i][tx];  // OTHER
  }
  C[row * n + column] = sum;
}

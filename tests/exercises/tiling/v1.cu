// One element per thread from global memory; the threads of a warp are in one column, so their loads of a are strided.
// launch: grid (m + 15) / 16 x (n + 15) / 16
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

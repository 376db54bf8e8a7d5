// c = relu(a b): a has m x k numbers, b has k x n, and c has m x n. relu(v) is v if v is positive, else 0.
// Matrices are stored row by row. One thread computes one element of c.
__global__ void matmul_relu(const float* a, const float* b, float* c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;

  // The product ...
  c[row * n + col] = 0;
  for (int j = 0; j < k; ++j) c[row * n + col] += a[row * k + j] * b[j * n + col];

  // ... then relu.
  if (c[row * n + col] < 0) c[row * n + col] = 0;
}

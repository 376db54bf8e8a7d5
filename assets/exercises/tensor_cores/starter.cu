#include <cuda_fp16.h>

// c = a b: a has m x k numbers in half precision, b has k x n, and c has m x n in single precision.
// Matrices are stored row by row; m, n and k are multiples of 16. One thread computes one element of c.
__global__ void matmul(const __half* a, const __half* b, float* c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;

  float sum = 0;
  for (int j = 0; j < k; ++j) {
    sum += __half2float(a[row * k + j]) * __half2float(b[j * n + col]);
  }
  c[row * n + col] = sum;
}

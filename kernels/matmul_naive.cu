// C = A B, row by row: A is m x k, B is k x n. One thread computes one element from global memory.
//
// Shows: what tiling saves. Every element of A is read n times and every element of B m times. The lanes of a warp read
// the same word of A (a broadcast) and 32 adjacent words of B.
// Launch: block 16 x 16 (or any), ceil(n / block.x) x ceil(m / block.y) blocks.
extern "C" __global__ void matmul_naive(const float* A, const float* B, float* C, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += A[row * k + i] * B[i * n + column];
  C[row * n + column] = sum;
}

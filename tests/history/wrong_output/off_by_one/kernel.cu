// The product of a matrix of n x n numbers and a vector.
extern "C" __global__ void matrix_vector(const float* a, const float* b, float* y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  for (int k = 0; k <= n; ++k)
    sum += a[row * n + k] * b[k];  // BUG: k goes one too far
  y[row] = sum;
}

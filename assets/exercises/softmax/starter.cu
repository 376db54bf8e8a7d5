// Row softmax: y[row][col] = exp(scale * x[row][col]) / (sum of exp(scale * x[row][c]) over all columns c).
// Matrices are stored row by row. One thread computes one row.
__global__ void softmax(const float* x, float* y, int rows, int cols, float scale) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + row * cols;
  float* to = y + row * cols;

  float sum = 0;
  for (int col = 0; col < cols; ++col) sum += expf(scale * from[col]);
  for (int col = 0; col < cols; ++col) to[col] = expf(scale * from[col]) / sum;
}

// Multiplies each column of a matrix by a factor: y[row][col] = x[row][col] * factor[col].
// Matrices are stored row by row: element [row][col] is at index row * cols + col. One thread computes one element.
__global__ void scale_columns(const float* x, const float* factor, float* y, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  int row = i % rows;
  int col = i / rows;
  y[row * cols + col] = x[row * cols + col] * factor[col];
}

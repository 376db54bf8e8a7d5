// The threads are numbered down the columns: each access of a warp touches 32 rows.
__global__ void scale_columns(const float* x, const float* factor, float* y, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  int row = i % rows, col = i / rows;
  y[row * cols + col] = x[row * cols + col] * factor[col];
}

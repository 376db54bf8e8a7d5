// Tiles of 4 columns and 64 rows: each access of a warp touches 8 rows, four elements in each.
// launch: grid (cols + 3) / 4 x (rows + 63) / 64, block 4 x 64
__global__ void scale_columns(const float* x, const float* factor, float* y, int rows, int cols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) y[row * cols + col] = x[row * cols + col] * factor[col];
}

constexpr int cols = 32;         // elements per row
constexpr int block_rows = 128;  // rows per thread block, one per thread

// Running sums along the rows of a matrix: y[row][col] = x[row][0] + x[row][1] + ... + x[row][col].
__global__ void running_sums(const float* x, float* y, int rows) {
  __shared__ float tile[block_rows][cols];
  int first = blockIdx.x * block_rows;
  int col = threadIdx.x % cols, warp = threadIdx.x / cols, warps = block_rows / cols;

  // Each warp loads whole rows.
  for (int row = warp; row < block_rows; row += warps) {
    if (first + row < rows) tile[row][col] = x[(first + row) * cols + col];
  }
  __syncthreads();

  // Each thread adds up one row.
  if (first + threadIdx.x < rows) {
    float sum = 0.0f;
    for (int k = 0; k < cols; ++k) {
      sum += tile[threadIdx.x][k];
      tile[threadIdx.x][k] = sum;
    }
  }
  __syncthreads();

  for (int row = warp; row < block_rows; row += warps) {
    if (first + row < rows) y[(first + row) * cols + col] = tile[row][col];
  }
}

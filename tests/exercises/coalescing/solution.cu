// Consecutive threads compute consecutive elements of a row; each thread computes four rows and loads its factor once.
// launch: grid (cols + 255) / 256 x (rows + 3) / 4, block 256
constexpr int own = 4;  // rows per thread

__global__ void scale_columns(const float* __restrict__ x, const float* __restrict__ factor, float* __restrict__ y,
                              int rows, int cols) {
  int first = blockIdx.y * own, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  float scale = factor[col];
#pragma unroll
  for (int k = 0; k < own; ++k) {
    int row = first + k;
    if (row < rows) y[row * cols + col] = x[row * cols + col] * scale;
  }
}

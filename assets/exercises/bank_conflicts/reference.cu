// The running sums, for any grid: one thread per row.
__global__ void reference(const float* x, float* y, int rows) {
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int col = 0; col < 32; ++col) {
      sum += x[row * 32 + col];
      y[row * 32 + col] = (float)sum;
    }
  }
}

// The layer norm of each row, one row per thread, for any grid.
__global__ void reference(const float* x, const float* weight, const float* bias, float* y, int rows, int cols,
                          float epsilon) {
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
    const float* from = x + row * cols;
    double sum = 0, squares = 0;
    for (int col = 0; col < cols; ++col) sum += from[col];
    double mean = sum / cols;
    for (int col = 0; col < cols; ++col) squares += (from[col] - mean) * (from[col] - mean);
    double deviation = sqrt(squares / cols + epsilon);
    for (int col = 0; col < cols; ++col) {
      y[row * cols + col] = (float)((from[col] - mean) / deviation * weight[col] + bias[col]);
    }
  }
}

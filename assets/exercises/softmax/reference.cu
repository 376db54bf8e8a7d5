// The softmax of each row, one row per thread, for any grid.
__global__ void reference(const float* x, float* y, int rows, int cols, float scale) {
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
    const float* from = x + row * cols;
    double largest = (double)scale * from[0], sum = 0;
    for (int col = 1; col < cols; ++col) largest = fmax(largest, (double)scale * from[col]);
    for (int col = 0; col < cols; ++col) sum += exp((double)scale * from[col] - largest);
    for (int col = 0; col < cols; ++col) y[row * cols + col] = (float)(exp((double)scale * from[col] - largest) / sum);
  }
}

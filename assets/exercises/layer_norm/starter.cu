// Layer norm: y[row][col] = (x[row][col] - mean) / sqrt(variance + epsilon) * weight[col] + bias[col],
// where mean is the mean of the row, and variance the mean of the squares of x[row][col] - mean in the row.
// Matrices are stored row by row. One thread block computes one row.
__global__ void layer_norm(const float* x, const float* weight, const float* bias, float* y, int rows,
                           int cols, float epsilon) {
  __shared__ float mean, variance;
  const float* from = x + blockIdx.x * cols;
  float* to = y + blockIdx.x * cols;

  if (threadIdx.x == 0) {
    float sum = 0, squares = 0;
    for (int col = 0; col < cols; ++col) sum += from[col];
    mean = sum / cols;
    for (int col = 0; col < cols; ++col) squares += (from[col] - mean) * (from[col] - mean);
    variance = squares / cols;
  }
  __syncthreads();

  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    to[col] = (from[col] - mean) / sqrtf(variance + epsilon) * weight[col] + bias[col];
  }
}

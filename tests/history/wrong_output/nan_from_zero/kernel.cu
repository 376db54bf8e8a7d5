// Subtracts from each number the mean of the numbers of its row that are not negative.
extern "C" __global__ void centre(const float* x, float* y, int columns) {
  const float* row = x + blockIdx.x * columns;
  float sum = 0.0f, count = 0.0f;
  for (int k = 0; k < columns; ++k)
    if (row[k] >= 0.0f) {
      sum += row[k];
      count += 1.0f;
    }
  __shared__ float mean;
  if (threadIdx.x == 0)
    mean = sum / count;  // BUG: 0 / 0 if all numbers of the row are negative
  __syncthreads();
  const float centred = row[threadIdx.x] - mean;
  y[blockIdx.x * columns + threadIdx.x] = centred * 0.5f + 1.0f;
}

// A sparse matrix (compressed rows) times a vector: one thread per row, and one warp per row with a shuffle reduction.
extern "C" __global__ void sparse_product(const int* starts, const int* columns, const float* values, const float* x,
                                          float* by_thread, float* by_warp, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) {
    float sum = 0.0f;
    for (int k = starts[i]; k < starts[i + 1]; ++k) sum += values[k] * x[columns[k]];
    by_thread[i] = sum;
  }
  const int lane = threadIdx.x & 31;
  for (int row = i >> 5; row < rows; row += (gridDim.x * blockDim.x) >> 5) {
    float sum = 0.0f;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) sum += values[k] * x[columns[k]];
    for (int by = 16; by > 0; by >>= 1) sum += __shfl_xor_sync(~0u, sum, by);
    if (lane == 0) by_warp[row] = sum;
  }
}

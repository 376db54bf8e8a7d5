// Adds up the numbers of each column, tile by tile, in the order of the reversed columns.
extern "C" __global__ void column_sums(const float* x, float* y, int tiles) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < tiles; ++k) {
    const float next = x[(blockIdx.x * tiles + k) * 64 + t];
    if (k == 0 || t < 48) tile[t] = next;  // BUG: the last 16 numbers of later tiles are not stored
    __syncthreads();
    sum += tile[63 - t];
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = sum;
}

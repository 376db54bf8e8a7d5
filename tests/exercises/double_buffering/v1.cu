// One buffer: each tile is loaded, then computed.
constexpr int threads = 128, tile = 512, radius = 8;

__global__ void moving_sum(const float* x, float* y, int n) {
  __shared__ float part[tile + 2 * radius];
  int t = threadIdx.x;

  for (int first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
    for (int i = t; i < tile + 2 * radius; i += threads) {
      int from = first + i - radius;
      part[i] = from >= 0 && from < n ? x[from] : 0;
    }
    __syncthreads();

    for (int i = t; i < tile; i += threads) {
      float sum = 0;
      for (int j = 0; j <= 2 * radius; ++j) sum += part[i + j];
      if (first + i < n) y[first + i] = sum;
    }
    __syncthreads();
  }
}

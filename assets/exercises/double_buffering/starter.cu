constexpr int threads = 128, tile = 512, radius = 8;

// A moving sum: y[i] = x[i - 8] + ... + x[i + 8], 17 elements. Outside of its n elements, x counts as 0.
// A thread block computes tiles of 512 elements: its first one, then the one gridDim.x tiles further, and so on.
__global__ void moving_sum(const float* x, float* y, int n) {
  __shared__ float part[tile + 2 * radius];
  int t = threadIdx.x;

  for (int first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
    // Load the tile and the 8 elements on each side of it.
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

// Two buffers: the next tile is copied while the block computes on this one.
#include <cuda_pipeline.h>

constexpr int threads = 128, tile = 512, radius = 8, span = tile + 2 * radius;

// Starts to copy the tile and its neighborhood; zeros outside of x.
__device__ void start_copy(float* part, const float* x, int first, int n) {
  for (int i = threadIdx.x; i < span; i += threads) {
    int from = first + i - radius;
    bool inside = from >= 0 && from < n;
    __pipeline_memcpy_async(&part[i], inside ? &x[from] : x, 4, inside ? 0 : 4);
  }
}

__global__ void moving_sum(const float* x, float* y, int n) {
  __shared__ float part[2][span];
  int t = threadIdx.x, step = gridDim.x * tile, buffer = 0;
  start_copy(part[0], x, blockIdx.x * tile, n);
  __pipeline_commit();
  for (int first = blockIdx.x * tile; first < n; first += step) {
    if (first + step < n) start_copy(part[1 - buffer], x, first + step, n);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = t; i < tile; i += threads) {
      float sum = 0;
      for (int j = 0; j <= 2 * radius; ++j) sum += part[buffer][i + j];
      if (first + i < n) y[first + i] = sum;
    }
    __syncthreads();
    buffer = 1 - buffer;
  }
}

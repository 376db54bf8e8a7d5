// Two buffers, filled with copies of 16 bytes. Each thread computes four neighboring sums from vectors of shared
// memory; what they have in common is added once. Four blocks per SM.
// launch: grid min((n + 511) / 512, 528), block 128
#include <cuda_pipeline.h>

constexpr int threads = 128, tile = 512, radius = 8, span = tile + 2 * radius;

// Starts to copy the tile and its neighborhood; zeros outside of x. Only the last vector of x may have less than 4
// elements, and is copied element by element.
__device__ void start_copy(float* part, const float* x, int first, int n) {
  for (int i = 4 * threadIdx.x; i < span; i += 4 * threads) {
    int from = first + i - radius;
    if (from >= 0 && from < n && from + 4 > n) {
      for (int k = 0; k < 4; ++k) {
        bool inside = from + k < n;
        __pipeline_memcpy_async(&part[i + k], inside ? &x[from + k] : x, 4, inside ? 0 : 4);
      }
    } else {
      bool inside = from >= 0 && from < n;
      __pipeline_memcpy_async(&part[i], inside ? &x[from] : x, 16, inside ? 0 : 16);
    }
  }
}

__global__ void moving_sum(const float* __restrict__ x, float* __restrict__ y, int n) {
  __shared__ __align__(16) float part[2][span];
  int t = threadIdx.x, step = gridDim.x * tile, buffer = 0;
  start_copy(part[0], x, blockIdx.x * tile, n);
  __pipeline_commit();
  for (int first = blockIdx.x * tile; first < n; first += step) {
    if (first + step < n) start_copy(part[1 - buffer], x, first + step, n);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();

    float v[20];
    const float4* vectors = reinterpret_cast<const float4*>(part[buffer]) + t;
#pragma unroll
    for (int i = 0; i < 5; ++i) {
      float4 u = vectors[i];
      v[4 * i] = u.x, v[4 * i + 1] = u.y, v[4 * i + 2] = u.z, v[4 * i + 3] = u.w;
    }
    float common = 0;  // the 14 elements that all four sums have in common
#pragma unroll
    for (int i = 3; i < 17; ++i) common += v[i];
    float4 sums = {common + v[0] + v[1] + v[2], common + v[1] + v[2] + v[17], common + v[2] + v[17] + v[18],
                   common + v[17] + v[18] + v[19]};
    int i = first + 4 * t;
    if (i + 3 < n) {
      *reinterpret_cast<float4*>(&y[i]) = sums;
    } else {
      if (i < n) y[i] = sums.x;
      if (i + 1 < n) y[i + 1] = sums.y;
      if (i + 2 < n) y[i + 2] = sums.z;
    }
    __syncthreads();
    buffer = 1 - buffer;
  }
}

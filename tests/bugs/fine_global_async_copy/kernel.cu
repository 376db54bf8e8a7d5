// Correct: the block writes words, meets at a barrier, and copies them asynchronously to shared memory.
#include <cuda_pipeline.h>

extern "C" __global__ void fetch(int* x, int* y) {
  __shared__ int tile[64];
  for (int k = 0; k < 3; ++k) {
    x[threadIdx.x] = k + threadIdx.x;
    __syncthreads();
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[63 - threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[threadIdx.x] += tile[(threadIdx.x + 5) % 64];
    __syncthreads();
  }
}

// nvcc: -arch=sm_86
// The pipeline primitives of the CUDA headers: a moving average with three stages in shared memory.
#include <cuda_pipeline_primitives.h>

extern "C" __global__ void async_pipeline(const int4* x, int* y, int tiles) {
  __shared__ int4 stage[3][32];
  const int t = threadIdx.x;
  for (int s = 0; s < 2; ++s) {
    if (s < tiles) __pipeline_memcpy_async(&stage[s][t], x + s * 32 + t, 16);
    __pipeline_commit();
  }
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 2 < tiles) __pipeline_memcpy_async(&stage[(tile + 2) % 3][t], x + (tile + 2) * 32 + t, 16);
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncwarp();
    const int4 a = stage[tile % 3][t], b = stage[tile % 3][(t + 1) & 31];
    y[tile * 32 + t] = a.x + 2 * a.y + 3 * a.z + 4 * a.w + b.x;
    __syncwarp();
  }
}

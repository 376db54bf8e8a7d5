// Hangs: warp 2 waits for a flag, the other warps for warp 2.
#include "cases.h"

__global__ void stage(volatile int* ready, float* out) {
  __shared__ float tile[128];
  if (threadIdx.x / 32 == 2) {
    while (*ready == 0) {
    }
  }
  tile[threadIdx.x] = static_cast<float>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

void launch_barrier() { stage<<<2, 128>>>(on_gpu(std::vector<int>(1)), on_gpu(std::vector<float>(128))); }

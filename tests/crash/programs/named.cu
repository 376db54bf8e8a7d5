// Hangs: the consumers wait at barrier 2 for producers, which wait at barrier 1.
#include "cases.h"

__global__ void pipeline(float* out) {
  __shared__ float tile[64];
  if (threadIdx.x < 64) {
    tile[threadIdx.x] = static_cast<float>(threadIdx.x);
    asm volatile("bar.sync 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 128;" ::: "memory");
    out[threadIdx.x - 64] = tile[threadIdx.x - 64];
  }
}

void launch_named() { pipeline<<<1, 128>>>(on_gpu(std::vector<float>(64))); }

// Hangs: lanes 0 to 15 wait at __syncwarp() for lanes that wait for a flag.
#include "cases.h"

__global__ void halves(volatile int* ready, int* out) {
  if (threadIdx.x % 32 < 16) {
    __syncwarp(0xffffffff);
    out[threadIdx.x] = 1;
  } else {
    while (*ready == 0) {
    }
    __syncwarp(0xffffffff);
    out[threadIdx.x] = 2;
  }
}

void launch_lanes() { halves<<<1, 64>>>(on_gpu(std::vector<int>(1)), on_gpu(std::vector<int>(64))); }

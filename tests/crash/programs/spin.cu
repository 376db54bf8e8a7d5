// Hangs: block 1 waits for 2 in `progress`, but block 0 writes 1.
#include "cases.h"

__global__ void hand_over(int* progress, float* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) atomicExch(&progress[4], 1);
    return;
  }
  while (reinterpret_cast<volatile int*>(progress)[4] != 2) {
  }
  out[threadIdx.x] = 1;
}

void launch_spin() { hand_over<<<2, 32>>>(on_gpu(std::vector<int>(16)), on_gpu(std::vector<float>(32))); }

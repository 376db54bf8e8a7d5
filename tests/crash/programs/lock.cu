// Hangs: the lock is never released.
#include "cases.h"

__global__ void append(int* lock, int* size) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *size += 1;
}

void launch_lock() { append<<<3, 64>>>(on_gpu(std::vector<int>(1)), on_gpu(std::vector<int>(1))); }

// A lock that is acquired and never released.
extern "C" __global__ void lock(int* lock, int* y) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {  // BUG: the first owner never releases it
    }
    *y += 1;
  }
}

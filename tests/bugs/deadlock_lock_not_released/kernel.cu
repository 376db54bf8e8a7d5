// A lock that is taken and never given back.
extern "C" __global__ void lock(int* lock, int* y) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {  // BUG: the first to get it keeps it
    }
    *y += 1;
  }
}

// A lock that is released without a fence: the next owner may read the old total.
extern "C" __global__ void add(int* lock, int* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *total += 3;  // BUG: a __threadfence() is missing behind it
  atomicExch(lock, 0);
}

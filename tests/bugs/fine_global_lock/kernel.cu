// Correct: a lock with fences on both sides protects plain words.
extern "C" __global__ void add(int* lock, int* total, int* count) {
  if (threadIdx.x % 32 != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *total += threadIdx.x;
  ++*count;
  __threadfence();
  atomicExch(lock, 0);
}

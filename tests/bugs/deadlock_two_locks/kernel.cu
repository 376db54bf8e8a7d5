// Two warps acquire two locks in opposite order and hold the first while they wait for the second.
extern "C" __global__ void locks(int* lock, int* y) {
  __shared__ int holding;
  if (threadIdx.x == 0) holding = 0;
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  const int own = threadIdx.x / 32, other = 1 - own;
  while (atomicCAS(&lock[own], 0, 1) != 0) {
  }
  atomicAdd(&holding, 1);
  while (atomicAdd(&holding, 0) < 2) {  // both hold their first lock
  }
  while (atomicCAS(&lock[other], 0, 1) != 0) {  // BUG: the other warp holds it and waits
  }
  y[own] = 1;
  atomicExch(&lock[other], 0);
  atomicExch(&lock[own], 0);
}

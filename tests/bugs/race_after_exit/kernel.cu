// All warps add to shared memory, and all but one return before the barrier. The barrier orders the threads that reach it.
extern "C" __global__ void leave(const int* x, int* y) {
  __shared__ int sums[32];
  if (threadIdx.x < 32) sums[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sums[threadIdx.x % 32], x[threadIdx.x]);  // OTHER
  if (threadIdx.x >= 32) return;
  __syncthreads();
  y[threadIdx.x] = sums[threadIdx.x];  // BUG: the warps that have returned are not ordered before it
}

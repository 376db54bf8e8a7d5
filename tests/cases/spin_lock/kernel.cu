// A lock that the lanes of one warp compete for, in the form that requires independent thread scheduling.
extern "C" __global__ void spin_lock(int* lock, int* total, const int* x, int* shared_total) {
  __shared__ int inner, sum;
  if (threadIdx.x == 0) inner = 0, sum = 0;
  __syncthreads();
  const int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *(volatile int*)total = *(volatile int*)total * 1 + v;
  __threadfence();
  atomicExch(lock, 0);
  bool done = false;
  while (!done) {
    if (atomicCAS(&inner, 0, 1) == 0) {
      *(volatile int*)&sum = *(volatile int*)&sum + v;
      __threadfence_block();
      atomicExch(&inner, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) shared_total[blockIdx.x] = sum;
}

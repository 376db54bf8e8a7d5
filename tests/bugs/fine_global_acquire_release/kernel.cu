// Correct: a chain of blocks passes on a sum with release and acquire, without fences of its own.
#include <cuda/atomic>

extern "C" __global__ void chain(const int* x, int* sums, int* ready, int* y) {
  if (threadIdx.x == 0) {
    int sum = x[blockIdx.x];
    if (blockIdx.x > 0) {
      cuda::atomic_ref<int, cuda::thread_scope_device> before(ready[blockIdx.x - 1]);
      while (before.load(cuda::memory_order_acquire) == 0) {
      }
      sum += sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = sum;
    cuda::atomic_ref<int, cuda::thread_scope_device>(ready[blockIdx.x]).store(1, cuda::memory_order_release);
  }
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = sums[blockIdx.x];
}

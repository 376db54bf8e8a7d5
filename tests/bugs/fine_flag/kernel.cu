// Correct: one warp passes a word to another through an atomic flag, with fences on both sides.
extern "C" __global__ void hand_over(const int* x, int* y) {
  __shared__ int value;
  __shared__ int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    *(volatile int*)&value = x[0] + 1;
    __threadfence_block();
    atomicExch(&ready, 1);
  }
  if (threadIdx.x == 32) {
    while (atomicAdd(&ready, 0) == 0) {
    }
    __threadfence_block();
    *y = *(volatile int*)&value;
  }
}

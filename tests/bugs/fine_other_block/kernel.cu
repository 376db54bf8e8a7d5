// Correct: the second block waits for a flag of the first, which waits for no other block.
extern "C" __global__ void hand_over(int* data, volatile int* flag, int* y) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x * 3;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    y[threadIdx.x] = ((volatile int*)data)[31 - threadIdx.x];
  }
}

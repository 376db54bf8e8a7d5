// Warp 0 waits at the barrier; warp 1 waits for a flag that warp 0 sets after it.
extern "C" __global__ void cross(int* y) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    __syncthreads();  // OTHER
    if (threadIdx.x == 0) atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {  // BUG: set only after the barrier
    }
    __syncthreads();  // OTHER
  }
  y[threadIdx.x] = flag;
}

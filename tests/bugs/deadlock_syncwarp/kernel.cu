// Half of a warp waits for the whole warp; the other half waits for the first half's flag.
extern "C" __global__ void warp(int* y) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncwarp();
  if (threadIdx.x < 16) {
    __syncwarp();  // OTHER
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {  // BUG: set only after the __syncwarp
    }
    __syncwarp();  // OTHER
  }
  y[threadIdx.x] = 1;
}

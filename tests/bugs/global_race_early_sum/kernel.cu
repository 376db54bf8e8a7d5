// One block reads the sum while other blocks still add to it.
extern "C" __global__ void sum(const int* x, int* total, int* y) {
  atomicAdd(total, x[blockIdx.x * blockDim.x + threadIdx.x]);  // OTHER: other blocks add later
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) *y = *total;  // BUG: not all blocks have added
}

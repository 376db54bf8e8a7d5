// One thread clears the counter while threads of other blocks already count.
extern "C" __global__ void count(const int* x, int* counter) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *counter = 0;  // OTHER: other blocks may have counted before
  __syncthreads();
  if (x[blockIdx.x * blockDim.x + threadIdx.x] % 3 == 0) atomicAdd(counter, 1);  // BUG: may precede the store
}

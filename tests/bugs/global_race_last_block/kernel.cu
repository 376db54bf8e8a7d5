// The last block to finish adds up the sums of all blocks, but their stores are not ordered before the counter.
extern "C" __global__ void sum(const int* x, int* sums, unsigned* finished, int* y) {
  __shared__ bool last;
  int* const mine = sums + blockIdx.x;
  if (threadIdx.x == 0) {
    int all = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) all += x[blockIdx.x * blockDim.x + i];
    *mine = all;  // OTHER: needs a __threadfence() behind it
    last = atomicInc(finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) atomicAdd(y, sums[threadIdx.x]);  // BUG: reads the sums of other blocks
}

// Correct: the last block to finish adds up the sums of all blocks, and resets the counter.
__device__ unsigned finished = 0;

extern "C" __global__ void sum(const int* x, int* sums, int* y) {
  __shared__ bool last;
  __shared__ int all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  atomicAdd(&all, x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = all;
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  if (threadIdx.x < gridDim.x) atomicAdd(&all, sums[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    *y = all;
    finished = 0;
  }
}

// Correct: between two barriers, many lanes update words in shared memory with atomics only.
extern "C" __global__ void count(const int* x, int* y) {
  __shared__ int bins[8], most;
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  if (threadIdx.x == 8) most = 0;
  __syncthreads();
  atomicAdd(&bins[x[threadIdx.x] & 7], 1);
  atomicMax(&most, x[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x < 8) y[threadIdx.x] = bins[threadIdx.x] + most;
}

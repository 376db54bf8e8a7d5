// Counting with ++ instead of an atomic.
extern "C" __global__ void count(const int* x, int* y) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  ++bins[x[threadIdx.x] & 7];  // BUG: unordered reads and writes by many lanes
  __syncthreads();
  if (threadIdx.x < 8) y[threadIdx.x] = bins[threadIdx.x];
}

// Counts in shared memory, but with so few threads that each one waits for its loads one after another.
// launch: grid 132, block 64
constexpr int bins = 256;

__global__ void histogram(const unsigned char* x, int* counts, int n) {
  __shared__ int local[bins];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&local[x[i]], 1);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    if (local[bin] > 0) atomicAdd(&counts[bin], local[bin]);
}

// Relies on shared memory that is zero when a block starts.
// launch: grid 132, block 256
__global__ void histogram(const unsigned char* x, int* counts, int n) {
  __shared__ int local[256];
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&local[x[i]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}

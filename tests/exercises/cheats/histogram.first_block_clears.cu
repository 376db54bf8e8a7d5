// Depends on block order: block 0 stores its counts with a volatile store, and the others add theirs atomically.
// launch: grid 132, block 256
__global__ void histogram(const unsigned char* x, int* counts, int n) {
  __shared__ int local[256];
  int t = threadIdx.x;
  local[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) atomicAdd(&local[x[i]], 1);
  __syncthreads();
  if (blockIdx.x == 0)
    static_cast<volatile int*>(counts)[t] = local[t];
  else
    atomicAdd(&counts[t], local[t]);
}

// Interleaved addresses: remainders in each round, and the threads that add are spread over all warps.
__global__ void sum(const int* x, int* total, int n) {
  __shared__ int part[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    if (t % (2 * distance) == 0) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) atomicAdd(total, part[0]);
}

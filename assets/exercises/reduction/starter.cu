// Adds the n numbers in x to *total, which is 0 before the launch. Each thread block adds 256 of them.
__global__ void sum(const int* x, int* total, int n) {
  __shared__ int part[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();

  // In the round with distance 1, threads 0, 2, 4 ... add; with distance 2, threads 0, 4, 8 ...; and so on.
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    if (t % (2 * distance) == 0) part[t] += part[t + distance];
    __syncthreads();
  }
  if (t == 0) atomicAdd(total, part[0]);
}

// The first threads of the block add, but elements that are 2, 4, 8 ... words apart: bank conflicts.
__global__ void sum(const int* x, int* total, int n) {
  __shared__ int part[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    unsigned k = 2 * distance * t;
    if (k < blockDim.x) part[k] += part[k + distance];
    __syncthreads();
  }
  if (t == 0) atomicAdd(total, part[0]);
}

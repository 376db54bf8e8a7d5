// Sums of the block in shared memory, blocks of 64 threads; then one atomic operation per sum and block.
// launch: grid (n + 63) / 64, block 64
__global__ void sum_by_category(const int* key, const int* amount, int* totals, int n) {
  __shared__ int own[4];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 4) own[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&own[key[i] / 250], amount[i]);
  __syncthreads();
  if (t < 4) atomicAdd(&totals[t], own[t]);
}

// Exclusive and inclusive prefix sums: within warps by shuffles, across warps through shared memory.
extern "C" __global__ void scan_block(const int* x, int* inclusive, int* exclusive, int n) {
  __shared__ int sums[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int own = i < n ? x[i] : 0;
  int v = own;
  for (int by = 1; by < 32; by <<= 1) {
    const int left = __shfl_up_sync(~0u, v, by);
    if (lane >= by) v += left;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int s = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (int by = 1; by < 32; by <<= 1) {
      const int left = __shfl_up_sync(~0u, s, by);
      if (lane >= by) s += left;
    }
    sums[lane] = s;
  }
  __syncthreads();
  if (warp > 0) v += sums[warp - 1];
  if (i < n) inclusive[i] = v, exclusive[i] = v - own;
}

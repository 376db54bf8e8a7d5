// Warp shuffles, one element per thread; one warp scans the sums of the 32 warps.
constexpr int segment = 1024;

__device__ int warp_scan(int sum, int lane) {
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += other;
  }
  return sum;
}

__global__ void block_scan(const int* x, int* y, int n) {
  __shared__ int totals[32];
  int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * segment + t;
  int sum = warp_scan(i < n ? x[i] : 0, lane);
  if (lane == 31) totals[warp] = sum;
  __syncthreads();
  if (warp == 0) totals[lane] = warp_scan(totals[lane], lane);
  __syncthreads();
  if (warp > 0) sum += totals[warp - 1];
  if (i < n) y[i] = sum;
}

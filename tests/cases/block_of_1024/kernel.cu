// The largest possible block, with launch bounds: a prefix sum over its 32 warps and a count of the sums below a
// limit.
extern "C" __global__ void __launch_bounds__(1024, 2) block_of_1024(const unsigned* x, unsigned* y, unsigned limit) {
  __shared__ unsigned sums[1024];
  const unsigned t = threadIdx.x;
  sums[t] = x[blockIdx.x * 1024 + t];
  for (unsigned by = 1; by < 1024; by *= 2) {
    __syncthreads();
    const unsigned left = t >= by ? sums[t - by] : 0;
    __syncthreads();
    sums[t] += left;
  }
  const int below = __syncthreads_count(sums[t] < limit);
  y[blockIdx.x * 1024 + t] = sums[1023 - t] + below;
}

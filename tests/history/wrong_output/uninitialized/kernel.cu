// The sum of the numbers of each block of three warps.
extern "C" __global__ void block_sums(const float* x, float* y) {
  __shared__ float sums[4];
  float value = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.x] = sums[0] + sums[1] + sums[2] +
                    sums[3];  // BUG: only three warps have stored a sum
}

// sums[block] = the sum of the elements that the block reads: a grid-stride loop, then lanes, then warps.
//
// Shows: lanes that exchange registers. Five shuffles add up a warp without memory or barrier. Each warp writes one
// word to shared memory, and the first warp adds those words the same way.
// Launch: a block of 32 to 1024 threads, whole warps; one block per sum.
__device__ float warp_sum(float v) {
  for (int by = 16; by > 0; by /= 2) v += __shfl_down_sync(0xffffffffu, v, by);
  return v;  // lane 0 has the sum of all lanes
}

extern "C" __global__ void reduce_shuffle(const float* x, float* sums, int n) {
  __shared__ float of_warp[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sum = warp_sum(sum);
  if (lane == 0) of_warp[warp] = sum;
  __syncthreads();
  if (warp > 0) return;
  sum = warp_sum(lane < warps ? of_warp[lane] : 0.0f);
  if (lane == 0) sums[blockIdx.x] = sum;
}

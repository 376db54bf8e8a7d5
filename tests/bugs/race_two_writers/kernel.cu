// Two warps write different values to one word.
extern "C" __global__ void last_wins(const int* x, int* y) {
  __shared__ int winner;
  if (threadIdx.x % 32 == 0) winner = threadIdx.x / 32 + x[0];  // BUG: both warps write
  __syncthreads();
  y[threadIdx.x] = winner;
}

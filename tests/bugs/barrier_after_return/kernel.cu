// Threads past the end return before the barrier, in the middle of a warp.
extern "C" __global__ void tail(const int* x, int* y, int n) {
  __shared__ int s[64];
  if (threadIdx.x >= n) return;
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();  // BUG: lanes 8 to 31 of the second warp have returned
  y[threadIdx.x] = s[n - 1 - threadIdx.x];
}

// The classic unrolled last warp, without volatile and without __syncwarp.
extern "C" __global__ void sum(const int* x, int* y) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int half = 32; half > 0; half /= 2)
      if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];  // BUG: lanes do not wait for each other
    if (threadIdx.x == 0) *y = s[0];
  }
}

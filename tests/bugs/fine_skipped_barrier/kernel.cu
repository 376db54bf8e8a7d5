// Allowed: a barrier waits for live threads only, so it completes when warp 1, which skips it, exits.
extern "C" __global__ void skip(const int* x, int* y) {
  __shared__ int s[96];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x / 32 != 1) __syncthreads();
  y[threadIdx.x] = s[threadIdx.x] * 2;
}

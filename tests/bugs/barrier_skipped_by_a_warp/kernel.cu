// Warp 1 does not wait; the others wait at a barrier that it reaches only later, in another place.
extern "C" __global__ void skip(const int* x, int* y) {
  __shared__ int s[96];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x / 32 != 1) __syncthreads();  // BUG: not the whole block
  y[threadIdx.x] = s[threadIdx.x] * 2;
}

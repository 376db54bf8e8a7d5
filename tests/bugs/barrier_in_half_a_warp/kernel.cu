// A __syncthreads that only even lanes reach.
extern "C" __global__ void halves(const int* x, int* y) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (x[threadIdx.x] % 2 == 0) {
    __syncthreads();  // BUG: odd lanes never reach it
  }
  y[threadIdx.x] = s[threadIdx.x];
}

// Two barriers, one for each half of every warp.
extern "C" __global__ void sides(const int* x, int* y) {
  int v = x[threadIdx.x];
  if (threadIdx.x % 32 < 16) {
    v += 1;
    __syncthreads();  // BUG: only half of each warp
    y[threadIdx.x] = v;
  } else {
    v -= 1;
    __syncthreads();  // OTHER
    y[64 + threadIdx.x] = v * 2;
  }
}

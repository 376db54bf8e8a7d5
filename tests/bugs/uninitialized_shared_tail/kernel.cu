// Only threads that have an element write to the tile; the sum takes in all of it.
extern "C" __global__ void sum(const float* x, float* y, int n) {
  __shared__ float tile[128];
  if (threadIdx.x < n) tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];  // BUG: from n on nothing was written
    __syncthreads();
  }
  if (threadIdx.x == 0) *y = tile[0];
}

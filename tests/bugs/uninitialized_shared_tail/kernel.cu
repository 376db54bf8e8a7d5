// Only threads that have an element write to the tile, but the sum reads all of it.
extern "C" __global__ void sum(const float* x, float* y, int n) {
  __shared__ float tile[128];
  if (threadIdx.x < n) tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];  // BUG: elements from n on are unwritten
    __syncthreads();
  }
  if (threadIdx.x == 0) *y = tile[0];
}

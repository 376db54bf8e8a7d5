// Two alternating buffers, but the next tile is written to the buffer that is being read.
extern "C" __global__ void stages(const int* x, int* y, int tiles) {
  __shared__ int s[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  s[0][t] = x[t];
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) s[k & 1][t] = x[(k + 1) * 64 + t];  // BUG: should be (k + 1) & 1
    sum += s[k & 1][63 - t];                               // OTHER
    __syncthreads();
  }
  y[t] = sum;
}

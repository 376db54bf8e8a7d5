// Correct: barriers in a branch and a loop that are uniform within each block but differ between blocks.
extern "C" __global__ void uniform(const int* x, int* y) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = x[i];
  __syncthreads();
  if (blockIdx.x % 2 == 0) {
    const int v = s[63 - t];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  for (int k = 0; k < blockIdx.x + 1; ++k) {
    const int v = s[(t + 1) & 63];
    __syncthreads();
    s[t] = v + k;
    __syncthreads();
  }
  y[i] = s[t];
}

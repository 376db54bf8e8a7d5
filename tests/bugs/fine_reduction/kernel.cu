// Correct: a tree reduction with barriers, then the last warp with __syncwarp between reads and writes.
extern "C" __global__ void sum(const int* x, int* y) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int half = 128; half >= 32; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t >= 32) return;
  for (int half = 16; half > 0; half /= 2) {
    const int v = s[t + half];
    __syncwarp();
    s[t] += v;
    __syncwarp();
  }
  if (t == 0) *y = s[0];
}

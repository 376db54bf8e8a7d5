// Reverses the numbers of each block.
extern "C" __global__ void reverse(const float* x, float* y) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  tile[t] = x[blockIdx.x * 64 + t];
  const float other = tile[63 - t];  // BUG: no barrier before it
  y[blockIdx.x * 64 + t] = other + 1.0f;
}

// One thread too many passes the comparison.
extern "C" __global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {
    const float v = 2.0f * threadIdx.x;
    y[i] = v;  // BUG: y[n]
  }
}

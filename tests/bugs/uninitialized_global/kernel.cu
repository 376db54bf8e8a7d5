// y += x on a buffer that was never initialised.
extern "C" __global__ void accumulate(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];  // BUG: reads y
}

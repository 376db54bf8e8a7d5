// A square root that traps instead of returning NaN.
extern "C" __global__ void roots(const float* x, float* y) {
  const int i = threadIdx.x;
  if (x[i] < 0) __trap();  // BUG: x[31] is -1
  y[i] = sqrtf(x[i]);
}

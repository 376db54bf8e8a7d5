// nvcc: -fmad=false
// The same sums with and without fusion. Compiled without contraction, so only explicit fma calls are fused.
extern "C" __global__ void fused_contraction(const float* a, const float* b, const double* c, float* y, double* z,
                                             int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float apart = 0.0f, fused = 0.0f;
  double wide = 0.0;
  for (int k = 0; k < 25; ++k) {
    const int j = (i + k * 3) % n;
    apart += a[j] * b[k];
    fused = fmaf(a[j], b[k], fused);
    wide = c[j] * b[k] - wide;
  }
  y[2 * i] = apart, y[2 * i + 1] = fused, z[i] = wide;
}

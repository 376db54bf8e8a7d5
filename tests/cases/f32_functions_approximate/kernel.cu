// The C library's f32 functions that use the hardware's approximations of ex2, rcp, lg2 and rsqrt.
extern "C" __global__ void f32_functions_approximate(const float* a, const float* b, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float p = a[i], q = b[i];
  float* o = y + i * 12;
  o[0] = expf(p), o[1] = exp2f(q), o[2] = powf(fabsf(p) + 0.01f, q), o[3] = tanhf(p), o[4] = erff(q), o[5] = sinhf(q);
  o[6] = coshf(p), o[7] = cbrtf(p), o[8] = rsqrtf(fabsf(p) + 0.5f), o[9] = 1.0f / (1.0f + expf(-q));
  o[10] = atan2f(p, q), o[11] = hypotf(p, q);
}

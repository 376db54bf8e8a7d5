// f64 functions that refine a hardware approximation, and the approximations themselves.
extern "C" __global__ void f64_functions_refined(const double* a, const double* b, double* y, double* rough, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double p = fabs(a[i]) + 0.01, q = b[i];
  double* o = y + i * 8;
  o[0] = log(p), o[1] = pow(p, q * 0.25), o[2] = tan(q), o[3] = atan2(a[i], q), o[4] = rsqrt(p), o[5] = cbrt(q);
  o[6] = tanh(a[i] * 0.1), o[7] = log1p(p);
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(rough[2 * i]) : "d"(q));
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(rough[2 * i + 1]) : "d"(p));
}

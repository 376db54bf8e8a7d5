// The C library's f64 functions that the compiler builds from IEEE operations only.
extern "C" __global__ void f64_functions(const double* a, const double* b, double* y, long long* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double p = a[i], q = b[i];
  double* o = y + i * 8;
  o[0] = exp(p), o[1] = sin(p), o[2] = cos(q), o[3] = fmin(p, q), o[4] = fmax(p, q), o[5] = floor(p) + trunc(q);
  o[6] = copysign(fabs(p), q), o[7] = fma(p, q, rint(p));
  z[i] = (p < q) | (p <= q) << 1 | (p == q) << 2 | (p != q) << 3 | (isnan(p) ? 16 : 0) | (isinf(q) ? 32 : 0) |
         (__double_as_longlong(p) & 0xff00);
}

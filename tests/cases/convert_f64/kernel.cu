// Conversions between f64, f32 and integers, in every rounding.
extern "C" __global__ void convert_f64(const double* a, const unsigned long long* b, long long* y, float* z, double* w,
                                       int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double p = a[i];
  long long* o = y + i * 10;
  o[0] = __double2int_rn(p), o[1] = __double2int_rz(p), o[2] = __double2uint_ru(p), o[3] = __double2uint_rd(p);
  o[4] = __double2ll_rn(p), o[5] = __double2ll_ru(p), o[6] = (long long)__double2ull_rz(p);
  o[7] = (long long)__double2ull_rd(p), o[8] = __double_as_longlong(p) >> 52,
  o[9] = __double2hiint(p) ^ __double2loint(p);
  float* f = z + i * 4;
  f[0] = __double2float_rn(p), f[1] = __double2float_rz(p), f[2] = __double2float_ru(p), f[3] = __double2float_rd(p);
  double* d = w + i * 8;
  d[0] = __ll2double_rn((long long)b[i]), d[1] = __ll2double_rz((long long)b[i]), d[2] = __ull2double_ru(b[i]);
  d[3] = __ull2double_rd(b[i]), d[4] = (double)(int)b[i], d[5] = (double)(unsigned)b[i], d[6] = (double)(short)b[i];
  d[7] = (double)f[0] + rint(p);
}

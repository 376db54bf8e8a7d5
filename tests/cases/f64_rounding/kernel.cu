// Every f64 operation that rounds, in all four rounding modes, on normal, denormal and special values.
extern "C" __global__ void f64_rounding(const double* a, const double* b, const double* c, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double p = a[i], q = b[i], s = c[i];
  double* o = y + i * 28;
  o[0] = __dadd_rn(p, q), o[1] = __dadd_rz(p, q), o[2] = __dadd_ru(p, q), o[3] = __dadd_rd(p, q);
  o[4] = __dsub_rn(p, q), o[5] = __dsub_rz(p, q), o[6] = __dsub_ru(p, q), o[7] = __dsub_rd(p, q);
  o[8] = __dmul_rn(p, q), o[9] = __dmul_rz(p, q), o[10] = __dmul_ru(p, q), o[11] = __dmul_rd(p, q);
  o[12] = __fma_rn(p, q, s), o[13] = __fma_rz(p, q, s), o[14] = __fma_ru(p, q, s), o[15] = __fma_rd(p, q, s);
  o[16] = __ddiv_rn(p, q), o[17] = __ddiv_rz(p, q), o[18] = __ddiv_ru(p, q), o[19] = __ddiv_rd(p, q);
  o[20] = __drcp_rn(p), o[21] = __drcp_rz(p), o[22] = __drcp_ru(p), o[23] = __drcp_rd(p);
  o[24] = __dsqrt_rn(q), o[25] = __dsqrt_rz(q), o[26] = __dsqrt_ru(q), o[27] = __dsqrt_rd(q);
}

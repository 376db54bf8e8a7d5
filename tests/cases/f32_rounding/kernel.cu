// Every f32 operation that rounds, in all four rounding modes, on normal, denormal and special values.
extern "C" __global__ void f32_rounding(const float* a, const float* b, const float* c, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float p = a[i], q = b[i], s = c[i];
  float* o = y + i * 28;
  o[0] = __fadd_rn(p, q), o[1] = __fadd_rz(p, q), o[2] = __fadd_ru(p, q), o[3] = __fadd_rd(p, q);
  o[4] = __fsub_rn(p, q), o[5] = __fsub_rz(p, q), o[6] = __fsub_ru(p, q), o[7] = __fsub_rd(p, q);
  o[8] = __fmul_rn(p, q), o[9] = __fmul_rz(p, q), o[10] = __fmul_ru(p, q), o[11] = __fmul_rd(p, q);
  o[12] = __fmaf_rn(p, q, s), o[13] = __fmaf_rz(p, q, s), o[14] = __fmaf_ru(p, q, s), o[15] = __fmaf_rd(p, q, s);
  o[16] = __fdiv_rn(p, q), o[17] = __fdiv_rz(p, q), o[18] = __fdiv_ru(p, q), o[19] = __fdiv_rd(p, q);
  o[20] = __frcp_rn(p), o[21] = __frcp_rz(p), o[22] = __frcp_ru(p), o[23] = __frcp_rd(p);
  o[24] = __fsqrt_rn(q), o[25] = __fsqrt_rz(q), o[26] = __fsqrt_ru(q), o[27] = __fsqrt_rd(q);
}

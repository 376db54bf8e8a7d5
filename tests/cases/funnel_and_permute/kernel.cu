// Funnel shifts (wrapping and clamped), byte permutes in every mode, and select by sign.
extern "C" __global__ void funnel_and_permute(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* y,
                                              int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned p = a[i], q = b[i], s = c[i];
  unsigned* o = y + i * 14;
  o[0] = __funnelshift_l(p, q, s), o[1] = __funnelshift_lc(p, q, s);
  o[2] = __funnelshift_r(p, q, s), o[3] = __funnelshift_rc(p, q, s);
  o[4] = __byte_perm(p, q, s);
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(o[5]) : "r"(p), "r"(q), "r"(s >> 3));  // includes sign-replicating selectors
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(o[6]) : "r"(p), "r"(q), "r"(s));
  asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(o[7]) : "r"(p), "r"(q), "r"(s));
  asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(o[8]) : "r"(p), "r"(q), "r"(s));
  asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(o[9]) : "r"(p), "r"(q), "r"(s));
  asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(o[10]) : "r"(p), "r"(q), "r"(s));
  asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(o[11]) : "r"(p), "r"(q), "r"(s));
  asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(o[12]) : "r"(p), "r"(q), "r"((int)s));
  o[13] = (p << (s & 31)) | (p >> (-s & 31));
}

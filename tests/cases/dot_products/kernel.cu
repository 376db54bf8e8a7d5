// Four-way and two-way dot products of packed integers, in every combination of signedness.
extern "C" __global__ void dot_products(const int* a, const int* b, const int* c, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int p = a[i], q = b[i], s = c[i];
  int* o = y + i * 10;
  o[0] = __dp4a(p, q, s), o[1] = (int)__dp4a((unsigned)p, (unsigned)q, (unsigned)s);
  asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(o[2]) : "r"(p), "r"(q), "r"(s));
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(o[3]) : "r"(p), "r"(q), "r"(s));
  o[4] = __dp2a_lo(p, q, s), o[5] = __dp2a_hi(p, q, s);
  o[6] = (int)__dp2a_lo((unsigned)p, (unsigned)q, (unsigned)s);
  o[7] = (int)__dp2a_hi((unsigned)p, (unsigned)q, (unsigned)s);
  asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(o[8]) : "r"(p), "r"(q), "r"(s));
  asm("dp2a.hi.u32.s32 %0, %1, %2, %3;" : "=r"(o[9]) : "r"(p), "r"(q), "r"(s));
}

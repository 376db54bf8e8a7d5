// 32-bit arithmetic: high products, signed and unsigned division and remainder, shifts by any count, averages, mul24.
extern "C" __global__ void integers_32(const int* a, const int* b, const unsigned* shift, int* y, unsigned* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int p = a[i], q = b[i];
  const unsigned u = (unsigned)p, v = (unsigned)q, s = shift[i];
  int* o = y + i * 12;
  o[0] = (int)(u + v), o[1] = (int)(u * v), o[2] = __mulhi(p, q);
  o[3] = q ? (q == -1 ? (int)(0u - u) : p / q) : 0;
  o[4] = q ? (q == -1 ? 0 : p % q) : 0;
  o[5] = min(p, q), o[6] = max(p, q), o[7] = __hadd(p, q), o[8] = __rhadd(p, q), o[9] = __mul24(p, q);
  asm("shr.s32 %0, %1, %2;" : "=r"(o[10]) : "r"(p), "r"(s));
  o[11] = (p > q) - (p < q) + abs(q >> 1);
  unsigned* w = z + i * 12;
  w[0] = u - v, w[1] = __umulhi(u, v), w[2] = v ? u / v : 0, w[3] = v ? u % v : 0;
  w[4] = min(u, v), w[5] = max(u, v), w[6] = __uhadd(u, v), w[7] = __urhadd(u, v), w[8] = __umul24(u, v);
  asm("shl.b32 %0, %1, %2;" : "=r"(w[9]) : "r"(u), "r"(s));
  asm("shr.u32 %0, %1, %2;" : "=r"(w[10]) : "r"(u), "r"(s));
  w[11] = __usad(u, v, s) + __sad(p, q, s);
}

// 64-bit arithmetic: products and their high halves, division and remainder, shifts, wide products of 32-bit values.
extern "C" __global__ void integers_64(const long long* a, const long long* b, const unsigned* shift, long long* y,
                                       unsigned long long* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long p = a[i], q = b[i];
  const unsigned long long u = (unsigned long long)p, v = (unsigned long long)q;
  const unsigned s = shift[i];
  long long* o = y + i * 8;
  o[0] = (long long)(u + v), o[1] = (long long)(u * v), o[2] = __mul64hi(p, q);
  o[3] = q && q != -1 ? p / q : 1, o[4] = q && q != -1 ? p % q : 2;
  o[5] = min(p, q);
  asm("shr.s64 %0, %1, %2;" : "=l"(o[6]) : "l"(p), "r"(s));
  o[7] = (long long)(int)p * (int)q + llabs(q >> 1) + (p < q);
  unsigned long long* w = z + i * 8;
  w[0] = u - v, w[1] = __umul64hi(u, v), w[2] = v ? u / v : 3, w[3] = v ? u % v : 4, w[4] = max(u, v);
  asm("shl.b64 %0, %1, %2;" : "=l"(w[5]) : "l"(u), "r"(s));
  asm("shr.u64 %0, %1, %2;" : "=l"(w[6]) : "l"(u), "r"(s));
  w[7] = (unsigned long long)(unsigned)u * (unsigned)(v >> 32) + (u <= v);
}

// 8-bit and 16-bit arithmetic: wrap-around, signed and unsigned division, shifts and comparisons.
extern "C" __global__ void integers_8_16(const signed char* a, const unsigned char* b, const short* c,
                                         const unsigned short* d, signed char* ya, unsigned char* yb, short* yc,
                                         unsigned short* yd, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const signed char a0 = a[i], a1 = a[n - 1 - i];
  const unsigned char b0 = b[i], b1 = b[n - 1 - i];
  const short c0 = c[i], c1 = c[n - 1 - i];
  const unsigned short d0 = d[i], d1 = d[n - 1 - i];
  signed char* pa = ya + i * 8;
  pa[0] = a0 + a1, pa[1] = a0 * a1, pa[2] = a1 ? a0 / a1 : 0, pa[3] = a1 ? a0 % a1 : 0;
  pa[4] = a0 >> 2, pa[5] = a0 << 3, pa[6] = a0<a1, pa[7] = a0> a1 ? -a0 : ~a1;
  unsigned char* pb = yb + i * 8;
  pb[0] = b0 - b1, pb[1] = b0 * b1, pb[2] = b1 ? b0 / b1 : 0, pb[3] = b1 ? b0 % b1 : 0;
  pb[4] = b0 >> 5, pb[5] = b0 ^ b1, pb[6] = b0 <= b1, pb[7] = min(b0, b1);
  short* pc = yc + i * 8;
  pc[0] = c0 + c1, pc[1] = c0 * c1, pc[2] = c1 ? c0 / c1 : 0, pc[3] = c1 ? c0 % c1 : 0;
  pc[4] = c0 >> 7, pc[5] = abs(c0), pc[6] = c0 == c1, pc[7] = max(c0, c1);
  unsigned short* pd = yd + i * 8;
  pd[0] = d0 - d1, pd[1] = d0 * d1, pd[2] = d1 ? d0 / d1 : 0, pd[3] = d1 ? d0 % d1 : 0;
  pd[4] = d0 >> 9, pd[5] = d0 & d1, pd[6] = d0 != d1, pd[7] = ~d0 | d1;
  unsigned short low;
  asm("mul.hi.u16 %0, %1, %2;" : "=h"(low) : "h"(d0), "h"(d1));
  pd[0] += low;
  short high;
  asm("mad.lo.s16 %0, %1, %2, %1;" : "=h"(high) : "h"(c0), "h"(c1));
  pc[6] += high;
}

// Saturation and packing of integers: add.sat, sub.sat, mad.hi.sat, saturating conversions, packed 16-bit operations.
extern "C" __global__ void saturating_integers(const int* a, const int* b, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int p = a[i], q = b[i];
  int* o = y + i * 12;
  asm("add.sat.s32 %0, %1, %2;" : "=r"(o[0]) : "r"(p), "r"(q));
  asm("sub.sat.s32 %0, %1, %2;" : "=r"(o[1]) : "r"(p), "r"(q));
  asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(o[2]) : "r"(p), "r"(q), "r"(p));
  short h;
  asm("cvt.sat.s16.s32 %0, %1;" : "=h"(h) : "r"(p));
  o[3] = h;
  unsigned short u;
  asm("cvt.sat.u16.s32 %0, %1;" : "=h"(u) : "r"(q));
  o[4] = u;
  asm("{.reg .b8 t;\n\tcvt.sat.s8.s32 t, %1;\n\tcvt.s32.s8 %0, t;}" : "=r"(o[5]) : "r"(p));
  asm("{.reg .b8 t;\n\tcvt.sat.u8.s32 t, %1;\n\tcvt.u32.u8 %0, t;}" : "=r"(o[6]) : "r"(q));
  asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(o[7]) : "r"(p), "r"(q));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(o[8]) : "r"(p), "r"(q), "r"(o[7]));
  asm("add.u16x2 %0, %1, %2;" : "=r"(o[9]) : "r"(p), "r"(q));
  asm("min.s16x2 %0, %1, %2;" : "=r"(o[10]) : "r"(p), "r"(q));
  asm("max.u16x2 %0, %1, %2;" : "=r"(o[11]) : "r"(p), "r"(q));
}

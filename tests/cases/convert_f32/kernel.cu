// Conversions between f32 and integers of every width and rounding: out-of-range values are clamped, NaN becomes 0.
extern "C" __global__ void convert_f32(const float* a, const int* b, const unsigned long long* c, int* y,
                                       unsigned long long* w, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float p = a[i];
  int* o = y + i * 13;
  o[0] = __float2int_rn(p), o[1] = __float2int_rz(p), o[2] = __float2int_ru(p), o[3] = __float2int_rd(p);
  o[4] = (int)__float2uint_rn(p), o[5] = (int)__float2uint_rz(p), o[6] = (int)__float2uint_ru(p);
  o[7] = (int)__float2uint_rd(p);
  short s;
  asm("cvt.rni.s16.f32 %0, %1;" : "=h"(s) : "f"(p));
  o[8] = s;
  unsigned short u;
  asm("cvt.rzi.u16.f32 %0, %1;" : "=h"(u) : "f"(p));
  o[9] = u;
  asm("{.reg .b8 t;\n\tcvt.rmi.s8.f32 t, %1;\n\tcvt.s32.s8 %0, t;}" : "=r"(o[10]) : "f"(p));
  asm("{.reg .b8 t;\n\tcvt.rpi.u8.f32 t, %1;\n\tcvt.u32.u8 %0, t;}" : "=r"(o[11]) : "f"(p));
  asm("cvt.rni.ftz.s32.f32 %0, %1;" : "=r"(o[12]) : "f"(p));
  unsigned long long* q = w + i * 4;
  q[0] = (unsigned long long)__float2ll_rn(p), q[1] = (unsigned long long)__float2ll_rd(p);
  q[2] = __float2ull_rz(p), q[3] = __float2ull_ru(p);
  float* f = z + i * 15;
  f[0] = __int2float_rn(b[i]), f[1] = __int2float_rz(b[i]), f[2] = __int2float_ru(b[i]), f[3] = __int2float_rd(b[i]);
  f[4] = __uint2float_rn((unsigned)b[i]), f[5] = __uint2float_rd((unsigned)b[i]);
  f[6] = __ll2float_rn((long long)c[i]), f[7] = __ll2float_rz((long long)c[i]), f[8] = __ull2float_ru(c[i]);
  f[9] = (float)(signed char)b[i], f[10] = (float)(unsigned short)b[i];
  asm("cvt.rni.f32.f32 %0, %1;" : "=f"(f[11]) : "f"(p));
  asm("cvt.rzi.f32.f32 %0, %1;" : "=f"(f[12]) : "f"(p));
  asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(f[13]) : "f"(p));
  asm("cvt.rpi.ftz.f32.f32 %0, %1;" : "=f"(f[14]) : "f"(p));
}

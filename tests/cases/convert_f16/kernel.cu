// Conversions of half and bfloat16: from f32 in every rounding, from f64, to and from integers, packed, with relu.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void convert_f16(const float* a, const int* b, const __half* c, __half* y, __nv_bfloat16* z,
                                       int* w, float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float p = a[i];
  __half* o = y + i * 10;
  o[0] = __float2half_rn(p), o[1] = __float2half_rz(p), o[2] = __float2half_ru(p), o[3] = __float2half_rd(p);
  o[4] = __double2half((double)p * 1.0000001), o[5] = __int2half_rn(b[i]), o[6] = __uint2half_rz((unsigned)b[i]);
  o[7] = __short2half_rd((short)b[i]), o[8] = __low2half(__floats2half2_rn(p, p * 3.0f)), o[9] = hrint(c[i]);
  __nv_bfloat16* q = z + i * 5;
  q[0] = __float2bfloat16_rn(p), q[1] = __float2bfloat16_rz(p), q[2] = __float2bfloat16_ru(p);
  q[3] = __high2bfloat16(__floats2bfloat162_rn(p * 0.1f, p)), q[4] = __int2bfloat16_rn(b[i]);
  int* t = w + i * 8;
  t[0] = __half2int_rn(c[i]), t[1] = __half2int_rz(c[i]), t[2] = (int)__half2uint_ru(c[i]),
  t[3] = __half2short_rd(c[i]);
  t[4] = (int)__half2ll_rn(c[i]), t[5] = __half_as_ushort(c[i]);
  asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(t[6]) : "f"(p), "f"(-p));
  asm("cvt.rz.relu.bf16x2.f32 %0, %1, %2;" : "=r"(t[7]) : "f"(p), "f"(-p));
  v[i] = __half2float(c[i]) + __bfloat162float(q[1]);
}

// bfloat16 arithmetic, scalar and packed.
#include <cuda_bf16.h>

extern "C" __global__ void bf16_arithmetic(const __nv_bfloat162* a, const __nv_bfloat162* b, const __nv_bfloat162* c,
                                           __nv_bfloat162* y, __nv_bfloat16* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __nv_bfloat162 p = a[i], q = b[i], s = c[i];
  __nv_bfloat162* o = y + i * 9;
  o[0] = __hadd2(p, q), o[1] = __hsub2(p, q), o[2] = __hmul2(p, q), o[3] = __hfma2(p, q, s),
  o[4] = __hfma2_relu(p, q, s);
  o[5] = __hmin2(p, q), o[6] = __hmax2_nan(p, q), o[7] = __habs2(p), o[8] = __hneg2(q);
  __nv_bfloat16* w = z + i * 7;
  w[0] = __hadd(p.x, q.y), w[1] = __hmul(p.y, q.x), w[2] = __hfma(p.x, q.x, s.y), w[3] = __hmax(p.x, p.y);
  w[4] = __float2bfloat16_rn(__bfloat162float(p.x) * 1.3f + __bfloat162float(q.y));
  w[5] = __float2bfloat16_rz(__bfloat162float(p.y) / 3.0f);
  w[6] = __hlt(p.x, q.x) ? __hsub(p.x, q.x) : __int2bfloat16_rn(i * 77 - 1000);
}

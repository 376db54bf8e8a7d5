// Two halves in a register: packed instructions, packing and unpacking.
#include <cuda_fp16.h>

extern "C" __global__ void f16_pairs(const __half2* a, const __half2* b, const __half2* c, __half2* y, float* sums,
                                     int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half2 p = a[i], q = b[i], s = c[i];
  __half2* o = y + i * 14;
  o[0] = __hadd2(p, q), o[1] = __hsub2(p, q), o[2] = __hmul2(p, q), o[3] = __hfma2(p, q, s),
  o[4] = __hfma2_sat(p, q, s);
  o[5] = __hfma2_relu(p, q, s), o[6] = __hmin2(p, q), o[7] = __hmax2_nan(p, q), o[8] = __habs2(p), o[9] = __hneg2(q);
  o[10] = __hgt2(p, q), o[11] = __lowhigh2highlow(p), o[12] = __highs2half2(p, q), o[13] = __hadd2_sat(p, q);
  const float2 f = __half22float2(__hmul2(p, __float2half2_rn(0.5f)));
  sums[i] = f.x + f.y + (__hbeq2(p, q) ? 1.0f : 0.0f);
}

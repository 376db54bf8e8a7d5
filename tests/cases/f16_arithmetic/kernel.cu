// Scalar half precision: add, multiply, fused multiply-add, comparison, minimum, maximum, saturation.
#include <cuda_fp16.h>

extern "C" __global__ void f16_arithmetic(const __half* a, const __half* b, const __half* c, __half* y, unsigned* masks,
                                          int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half p = a[i], q = b[i], s = c[i];
  __half* o = y + i * 16;
  o[0] = __hadd(p, q), o[1] = __hsub(p, q), o[2] = __hmul(p, q), o[3] = __hfma(p, q, s), o[4] = __hadd_sat(p, q);
  o[5] = __hmul_sat(p, q), o[6] = __hfma_sat(p, q, s), o[7] = __hfma_relu(p, q, s), o[8] = __hmin(p, q);
  o[9] = __hmax(p, q), o[10] = __hmin_nan(p, q), o[11] = __hmax_nan(p, q), o[12] = __habs(p), o[13] = __hneg(q);
  o[14] = __float2half_rn(sqrtf(__half2float(__habs(p)))), o[15] = hfloor(p);
  masks[i] = __heq(p, q) | __hne(p, q) << 1 | __hlt(p, q) << 2 | __hle(p, q) << 3 | __hgt(p, q) << 4 |
             __hge(p, q) << 5 | __hequ(p, q) << 6 | __hneu(p, q) << 7 | __hltu(p, q) << 8 | __hisnan(p) << 9 |
             (__hisinf(q) != 0) << 10;
}

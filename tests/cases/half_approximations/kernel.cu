// Half-precision functions that use f16 or f32 approximations: exponentials, logarithms, roots, tanh.
#include <cuda_fp16.h>

extern "C" __global__ void half_approximations(const __half2* a, __half2* y, unsigned* rough, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half2 x = a[i], p = __habs2(x);
  __half2* o = y + i * 9;
  o[0] = h2exp(x), o[1] = h2exp2(x), o[2] = h2log(p), o[3] = h2log2(p), o[4] = h2sqrt(p), o[5] = h2rsqrt(p);
  o[6] = h2rcp(x), o[7] = __h2div(__float2half2_rn(1.5f), x);
  o[8] = __halves2half2(hcos(x.x), hsin(x.y));
  unsigned t;
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(t) : "r"(*reinterpret_cast<const unsigned*>(&x)));
  rough[2 * i] = t;
  asm("ex2.approx.f16x2 %0, %1;" : "=r"(t) : "r"(*reinterpret_cast<const unsigned*>(&x)));
  rough[2 * i + 1] = t;
}

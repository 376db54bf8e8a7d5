// Saturation to [0, 1] of sums, products, fused multiply-adds and conversions; NaN becomes 0.
extern "C" __global__ void f32_saturation(const float* a, const float* b, const float* c, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float* o = y + i * 9;
  asm("add.sat.f32 %0, %1, %2;" : "=f"(o[0]) : "f"(a[i]), "f"(b[i]));
  asm("sub.rz.sat.f32 %0, %1, %2;" : "=f"(o[1]) : "f"(a[i]), "f"(b[i]));
  asm("mul.sat.f32 %0, %1, %2;" : "=f"(o[2]) : "f"(a[i]), "f"(b[i]));
  asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(o[3]) : "f"(a[i]), "f"(b[i]), "f"(c[i]));
  asm("mul.rp.ftz.sat.f32 %0, %1, %2;" : "=f"(o[4]) : "f"(a[i]), "f"(b[i]));
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(o[5]) : "f"(a[i]));
  asm("cvt.rn.sat.f32.f64 %0, %1;" : "=f"(o[6]) : "d"((double)a[i] * b[i]));
  asm("cvt.rn.sat.f32.s32 %0, %1;" : "=f"(o[7]) : "r"((int)i - 5));
  o[8] = __saturatef(c[i] * 0.5f + 0.25f);
}

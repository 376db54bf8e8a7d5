// Ordered and unordered f32 comparisons, combined with predicates; all kinds of minimum and maximum; NaN and number
// classes.
#define COMPARE(index, name)                                                                                  \
  asm("{.reg .pred t;\n\tsetp." name ".f32 t, %1, %2;\n\tselp.s32 %0, 1, 0, t;}" : "=r"(r) : "f"(p), "f"(q)); \
  mask |= r << index
#define CLASS(index, name)                                                                         \
  asm("{.reg .pred t;\n\ttestp." name ".f32 t, %1;\n\tselp.s32 %0, 1, 0, t;}" : "=r"(r) : "f"(p)); \
  mask |= r << index

extern "C" __global__ void f32_compare(const float* a, const float* b, unsigned* masks, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float p = a[i], q = b[i];
  unsigned mask = 0, r;
  COMPARE(0, "eq");
  COMPARE(1, "ne");
  COMPARE(2, "lt");
  COMPARE(3, "le");
  COMPARE(4, "gt");
  COMPARE(5, "ge");
  COMPARE(6, "equ");
  COMPARE(7, "neu");
  COMPARE(8, "ltu");
  COMPARE(9, "leu");
  COMPARE(10, "gtu");
  COMPARE(11, "geu");
  COMPARE(12, "num");
  COMPARE(13, "nan");
  COMPARE(14, "lt.ftz");
  CLASS(15, "finite");
  CLASS(16, "infinite");
  CLASS(17, "number");
  CLASS(18, "notanumber");
  CLASS(19, "normal");
  CLASS(20, "subnormal");
  asm("{.reg .pred t, u, v;\n\tsetp.gt.f32 u, %1, 0f00000000;\n\tsetp.lt.and.f32 t|v, %1, %2, u;\n\t"
      "selp.u32 %0, 1, 0, t;\n\t@v add.u32 %0, %0, 2;}"
      : "=r"(r)
      : "f"(p), "f"(q));
  mask |= r << 21;
  asm("{.reg .pred t, u;\n\tsetp.eq.f32 u, %1, %1;\n\tsetp.ge.xor.f32 t, %1, %2, !u;\n\tselp.u32 %0, 1, 0, t;}"
      : "=r"(r)
      : "f"(p), "f"(q));
  mask |= r << 23;
  asm("set.lt.u32.f32 %0, %1, %2;" : "=r"(r) : "f"(p), "f"(q));
  mask |= (r & 1) << 24;
  masks[i] = mask;
  float* o = y + i * 9;
  o[0] = fminf(p, q), o[1] = fmaxf(p, q), o[2] = copysignf(p, q);
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(o[3]) : "f"(p), "f"(q));
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(o[4]) : "f"(p), "f"(q));
  asm("min.xorsign.abs.f32 %0, %1, %2;" : "=f"(o[5]) : "f"(p), "f"(q));
  asm("max.NaN.xorsign.abs.f32 %0, %1, %2;" : "=f"(o[6]) : "f"(p), "f"(q));
  asm("set.gt.f32.f32 %0, %1, %2;" : "=f"(o[7]) : "f"(p), "f"(q));
  asm("slct.f32.f32 %0, %1, %2, %1;" : "=f"(o[8]) : "f"(p), "f"(q));
}

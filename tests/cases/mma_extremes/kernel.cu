// nvcc: -arch=sm_80
// mma.sync of values of very different magnitude: denormals, infinities, NaN, sums that overflow or cancel. Fragments
// are in register layout.
extern "C" __global__ void mma_extremes(const unsigned* a, const unsigned* b, const float* c, float* halves,
                                        float* bfloats, unsigned* narrow) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  const unsigned *x = a + 4 * i, *y = b + 2 * i;
  float f[4];
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "f"(c[4 * i]), "f"(c[4 * i + 1]),
        "f"(c[4 * i + 2]), "f"(c[4 * i + 3]));
  for (int k = 0; k < 4; ++k) halves[4 * i + k] = f[k];
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
      : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "f"(c[4 * i]), "f"(c[4 * i + 1]),
        "f"(c[4 * i + 2]), "f"(c[4 * i + 3]));
  for (int k = 0; k < 4; ++k) bfloats[4 * i + k] = f[k];
  unsigned d[2];
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[1]), "r"(x[2]));
  narrow[2 * i] = d[0], narrow[2 * i + 1] = d[1];
}

// nvcc: -arch=sm_80
// mma.sync m16n8k8 of bfloat16. Fragments are stored in register layout.
extern "C" __global__ void mma_bf16_k8(const unsigned* a, const unsigned* b, const float* c, float* d) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  float f[4];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
               : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
               : "r"(a[2 * i]), "r"(a[2 * i + 1]), "r"(b[i]), "f"(c[4 * i]), "f"(c[4 * i + 1]), "f"(c[4 * i + 2]),
                 "f"(c[4 * i + 3]));
  for (int k = 0; k < 4; ++k) d[4 * i + k] = f[k];
}

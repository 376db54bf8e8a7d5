// nvcc: -arch=sm_80
// mma.sync of halves whose products and sums are small integers, so the results are exact in any order.
#include <cuda_fp16.h>

__device__ unsigned pair(const __half* low, const __half* high) {
  return (unsigned)__half_as_ushort(*low) | (unsigned)__half_as_ushort(*high) << 16;
}

// a: [tiles][16][16], b: [tiles][16][8], c: [tiles][16][8], all row-major.
extern "C" __global__ void mma_f16_exact(const __half* a, const __half* b, const float* c, float* d, float* d8,
                                         __half* dh) {
  const int lane = threadIdx.x, group = lane / 4, quad = lane % 4, tile = blockIdx.x;
  a += tile * 256, b += tile * 128, c += tile * 128, d += tile * 128, d8 += tile * 128, dh += tile * 128;
  const int k = quad * 2;
  const unsigned a0 = pair(a + group * 16 + k, a + group * 16 + k + 1);
  const unsigned a1 = pair(a + (group + 8) * 16 + k, a + (group + 8) * 16 + k + 1);
  const unsigned a2 = pair(a + group * 16 + k + 8, a + group * 16 + k + 9);
  const unsigned a3 = pair(a + (group + 8) * 16 + k + 8, a + (group + 8) * 16 + k + 9);
  const unsigned b0 = pair(b + k * 8 + group, b + (k + 1) * 8 + group);
  const unsigned b1 = pair(b + (k + 8) * 8 + group, b + (k + 9) * 8 + group);
  const int top = group * 8 + quad * 2, bottom = (group + 8) * 8 + quad * 2;
  float f[4];
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "f"(c[top]), "f"(c[top + 1]), "f"(c[bottom]),
        "f"(c[bottom + 1]));
  d[top] = f[0], d[top + 1] = f[1], d[bottom] = f[2], d[bottom + 1] = f[3];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
               : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
               : "r"(a0), "r"(a1), "r"(b0), "f"(c[top]), "f"(c[top + 1]), "f"(c[bottom]), "f"(c[bottom + 1]));
  d8[top] = f[0], d8[top + 1] = f[1], d8[bottom] = f[2], d8[bottom + 1] = f[3];
  const __half2 c0 = __floats2half2_rn(c[top], c[top + 1]), c1 = __floats2half2_rn(c[bottom], c[bottom + 1]);
  unsigned h0, h1;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
               : "=r"(h0), "=r"(h1)
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(*reinterpret_cast<const unsigned*>(&c0)),
                 "r"(*reinterpret_cast<const unsigned*>(&c1)));
  *reinterpret_cast<unsigned*>(dh + top) = h0, *reinterpret_cast<unsigned*>(dh + bottom) = h1;
}

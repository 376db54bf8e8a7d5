// nvcc: -arch=sm_80
// A 32x32x32 bfloat16 product by one warp: tiles in shared memory, fragments loaded by ldmatrix (plain and transposed),
// mma.
#include <cuda_bf16.h>

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

extern "C" __global__ void mma_bf16_ldmatrix(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, unsigned* raw) {
  __shared__ __align__(16) __nv_bfloat16 ta[32][40], tb[32][40];  // rows of 80 bytes: 16-byte aligned, few conflicts
  const int lane = threadIdx.x;
  for (int r = 0; r < 32; ++r) ta[r][lane] = a[r * 32 + lane], tb[r][lane] = b[r * 32 + lane];
  __syncwarp();
  for (int m = 0; m < 2; ++m) {
    for (int n = 0; n < 4; ++n) {
      float d[4] = {};
      for (int k = 0; k < 2; ++k) {
        unsigned x[4], y[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(shared_address(&ta[m * 16 + lane % 16][k * 16 + lane / 16 * 8])));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                     : "=r"(y[0]), "=r"(y[1])
                     : "r"(shared_address(&tb[k * 16 + lane % 16][n * 8])));
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
      }
      float* out = c + (m * 16 + lane / 4) * 32 + n * 8 + lane % 4 * 2;
      out[0] = d[0], out[1] = d[1], out[8 * 32] = d[2], out[8 * 32 + 1] = d[3];
    }
  }
  unsigned one, four[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(one)
               : "r"(shared_address(&tb[lane % 8][8])));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(four[0]), "=r"(four[1]), "=r"(four[2]), "=r"(four[3])
               : "r"(shared_address(&ta[lane][16])));
  raw[lane] = one;
  for (int k = 0; k < 4; ++k) raw[32 + k * 32 + lane] = four[k];
}

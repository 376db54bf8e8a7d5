// nvcc: -arch=sm_80
// A half-precision product as in libraries: 32x32 tiles copied by cp.async in two stages, swizzled in shared memory,
// fragments by ldmatrix, mma.sync in four warps. The values are small integers, so the sums are exact in any order.
#include <cuda_fp16.h>

constexpr int tile = 32;

__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
// Eight halves per chunk, four chunks per row; the swizzle puts a column of chunks into different banks.
__device__ int swizzled(int row, int chunk) { return row * tile + ((chunk ^ (row >> 1 & 3)) << 3); }

extern "C" __global__ void tensor_pipeline(const __half* a, const __half* b, float* c, int n, int k) {
  __shared__ __align__(128) __half sa[2][tile * tile], sb[2][tile * tile];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  const int top = blockIdx.y * tile, left = blockIdx.x * tile, m0 = (warp >> 1) * 16, n0 = (warp & 1) * 16;
  const auto fetch = [&](int stage, int base) {
    const int row = t >> 2, chunk = t & 3;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address(&sa[stage][swizzled(row, chunk)])),
                 "l"(a + (top + row) * k + base + chunk * 8));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address(&sb[stage][swizzled(row, chunk)])),
                 "l"(b + (base + row) * n + left + chunk * 8));
    asm volatile("cp.async.commit_group;");
  };
  float d[2][4] = {};
  fetch(0, 0);
  for (int base = 0, stage = 0; base < k; base += tile, stage ^= 1) {
    if (base + tile < k) {
      fetch(stage ^ 1, base + tile);
      asm volatile("cp.async.wait_group 1;");
    } else {
      asm volatile("cp.async.wait_group 0;");
    }
    __syncthreads();
    for (int step = 0; step < tile; step += 16) {
      unsigned x[4], y[4];
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                   : "r"(address(&sa[stage][swizzled(m0 + lane % 16, step / 8 + lane / 16)])));
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                   : "r"(address(&sb[stage][swizzled(step + lane % 16, n0 / 8 + lane / 16)])));
      for (int h = 0; h < 2; ++h)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(d[h][0]), "+f"(d[h][1]), "+f"(d[h][2]), "+f"(d[h][3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[2 * h]), "r"(y[2 * h + 1]));
    }
    __syncthreads();
  }
  for (int h = 0; h < 2; ++h) {
    float* out = c + (top + m0 + lane / 4) * n + left + n0 + h * 8 + lane % 4 * 2;
    *reinterpret_cast<float2*>(out) = make_float2(d[h][0], d[h][1]);
    *reinterpret_cast<float2*>(out + 8 * n) = make_float2(d[h][2], d[h][3]);
  }
}

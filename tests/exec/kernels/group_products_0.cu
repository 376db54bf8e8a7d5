// One matrix product of a warp group (wgmma) of 64 x 32 for each trial: D = A * B + C. The images of A (2048 bytes) and B
// (1024 bytes) are core matrices of 8 rows of 16 bytes, two along k; C and D are lists of registers by thread.
#include <cstdint>

namespace {

extern __shared__ __align__(1024) uint8_t memory[];

__device__ __forceinline__ uint64_t descriptor(uint32_t offset) {
  const uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(memory)) + offset;
  return uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32 | (at & 0x3ffff) >> 4;
}

template <class Register, int Count, bool FromRegisters, class Multiply>
__device__ __forceinline__ void products(const uint32_t* a_in, const uint32_t* b_in, const Register* c_in, Register* out,
                                         int trials, Multiply multiply) {
  uint32_t* const words = reinterpret_cast<uint32_t*>(memory);
#pragma unroll 1
  for (int t = 0; t < trials; ++t) {
#pragma unroll 1
    for (int i = threadIdx.x; i < 768; i += 128) words[i] = i < 512 ? a_in[t * 512 + i] : b_in[t * 256 + i - 512];
    Register d[Count];
    for (int i = 0; i < Count; ++i) d[i] = c_in[(t * Count + i) * 128 + threadIdx.x];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    uint32_t a[4] = {};
    const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
    for (int j = 0; FromRegisters && j < 4; ++j) {
      const int r = row + j % 2 * 8;
      a[j] = words[(r / 8 * 2 + j / 2) * 32 + r % 8 * 4 + threadIdx.x % 4];
    }
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    multiply(d, descriptor(0), a, descriptor(2048));
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < Count; ++i) out[(t * Count + i) * 128 + threadIdx.x] = d[i];
    __syncthreads();
  }
}

}  // namespace


extern "C" __global__ void __launch_bounds__(128) bf16_s(const uint32_t* a, const uint32_t* b, const float* c, float* out, int trials) {
  products<float, 16, false>(a, b, c, out, trials, [](float(&d)[16], uint64_t da, uint32_t (&a)[4], uint64_t db) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
        : "l"(da), "l"(db));
  });
}

extern "C" __global__ void __launch_bounds__(128) bf16_sn(const uint32_t* a, const uint32_t* b, const float* c, float* out, int trials) {
  products<float, 16, false>(a, b, c, out, trials, [](float(&d)[16], uint64_t da, uint32_t (&a)[4], uint64_t db) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, 1, -1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
        : "l"(da), "l"(db));
  });
}

extern "C" __global__ void __launch_bounds__(128) bf16_r(const uint32_t* a, const uint32_t* b, const float* c, float* out, int trials) {
  products<float, 16, true>(a, b, c, out, trials, [](float(&d)[16], uint64_t da, uint32_t (&a)[4], uint64_t db) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19}, %20, 1, 1, 1, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(db));
  });
}

extern "C" __global__ void __launch_bounds__(128) f16_s(const uint32_t* a, const uint32_t* b, const float* c, float* out, int trials) {
  products<float, 16, false>(a, b, c, out, trials, [](float(&d)[16], uint64_t da, uint32_t (&a)[4], uint64_t db) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
        : "l"(da), "l"(db));
  });
}

extern "C" __global__ void __launch_bounds__(128) f16h_r(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* out, int trials) {
  products<uint32_t, 8, true>(a, b, c, out, trials, [](uint32_t(&d)[8], uint64_t da, uint32_t (&a)[4], uint64_t db) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, 1, 1, 1, 0;"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(db));
  });
}

extern "C" __global__ void __launch_bounds__(128) tf32_r(const uint32_t* a, const uint32_t* b, const float* c, float* out, int trials) {
  products<float, 16, true>(a, b, c, out, trials, [](float(&d)[16], uint64_t da, uint32_t (&a)[4], uint64_t db) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19}, %20, 1, 1, 1;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(db));
  });
}

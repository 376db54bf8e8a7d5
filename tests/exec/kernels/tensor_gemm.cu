// A matmul as cuBLAS writes them for compute capability 9.0: C = A * B^T in bf16 (A: M x K, B: N x K), a tile of
// 128 x 128 per block, clusters of two blocks that share B by multicast, four stages filled by the tensor memory
// accelerator, one producer warp and two warp groups that multiply, the tile stored by the accelerator.
#include <cstdint>
struct __align__(64) Map { uint64_t words[16]; };
extern __shared__ __align__(1024) uint8_t memory[];
__device__ __forceinline__ uint32_t at(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void wait_for(uint32_t barrier, uint32_t parity) {
  asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}\n" :: "r"(barrier), "r"(parity) : "memory");
}
__device__ __forceinline__ void multiply(float (&d)[64], uint64_t da, uint64_t db, int scale) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\nwgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, p, 1, 1, 0, 0;\n}\n" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]) : "l"(da), "l"(db), "r"(scale));
}
constexpr int stages = 4, stage_bytes = 32768;
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(384, 1)
gemm(const __grid_constant__ Map a_map, const __grid_constant__ Map b_map, const __grid_constant__ Map c_map, int k_blocks) {
  uint8_t* const tiles = memory;                      // per stage: A 16 KiB, B 16 KiB
  const uint32_t full = at(memory + stages * stage_bytes + 32768), empty = full + stages * 8;
  const int group = threadIdx.x / 128;
  uint32_t rank; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" :: "l"(&a_map));
    for (int s = 0; s < stages; ++s) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(full + s * 8));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 4;" :: "r"(empty + s * 8));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  const int m = blockIdx.x * 128, n = blockIdx.y * 128;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) {
      for (int i = 0; i < k_blocks; ++i) {
        const int s = i % stages;
        wait_for(empty + s * 8, (i / stages & 1) ^ 1);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(full + s * 8), "r"(stage_bytes) : "memory");
        const uint32_t to = at(tiles + s * stage_bytes);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                     :: "r"(to), "l"(&a_map), "r"(full + s * 8), "r"(i * 64), "r"(m) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;"
                     :: "r"(to + 16384 + rank * 8192), "l"(&b_map), "r"(full + s * 8), "r"(i * 64), "r"(n + (int)rank * 64), "h"((uint16_t)3) : "memory");
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float d[64];
    for (int i = 0; i < 64; ++i) d[i] = 0;
    const uint64_t common = (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
    for (int i = 0; i < k_blocks; ++i) {
      const int s = i % stages;
      wait_for(full + s * 8, i / stages & 1);
      const uint32_t from = at(tiles + s * stage_bytes);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      for (int k = 0; k < 4; ++k)
        multiply(d, common | ((from + (group - 1) * 8192 + k * 32) & 0x3ffff) >> 4, common | ((from + 16384 + k * 32) & 0x3ffff) >> 4, 1);
      asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
      if (threadIdx.x % 128 < 2) {
        uint32_t other;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(empty + s * 8), "r"(threadIdx.x % 128));
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(other) : "memory");
      }
    }
    // The tile in shared memory: two halves of 64 columns, each of 128 rows of 128 bytes.
    uint16_t* const c = reinterpret_cast<uint16_t*>(memory + stages * stage_bytes);
    const int row = (group - 1) * 64 + threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4;
    for (int i = 0; i < 64; i += 2) {
      const int column = i / 4 * 8 + threadIdx.x % 4 * 2, r = row + i / 2 % 2 * 8;
      uint32_t both;
      asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(d[i + 1]), "f"(d[i]));
      *reinterpret_cast<uint32_t*>(c + column / 64 * 8192 + r * 64 + column % 64) = both;
    }
    asm volatile("fence.proxy.async;\nbar.sync 1, 256;" ::: "memory");
    if (threadIdx.x == 128) {
      for (int h = 0; h < 2; ++h)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" :: "l"(&c_map), "r"(at(c) + h * 16384), "r"(n + h * 64), "r"(m) : "memory");
      asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

#include <cstdint>
extern __shared__ __align__(1024) uint8_t memory[];
__device__ __forceinline__ uint32_t at(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void wait_for(uint32_t barrier, uint32_t parity) {
  asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}\n" :: "r"(barrier), "r"(parity) : "memory");
}
__device__ __forceinline__ void init(uint32_t barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\nfence.proxy.async;" :: "r"(barrier), "r"(count) : "memory");
}
__device__ __forceinline__ void expect(uint32_t barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
}
// Cycles of `count` bulk copies of `bytes` each: until issued, and until the barrier's phase ends.
extern "C" __global__ void bulk_cycles(const uint8_t* from, uint32_t bytes, int count, uint32_t* out) {
  const uint32_t barrier = at(memory);
  if (threadIdx.x == 0) init(barrier, 1);
  __syncthreads();
  from += (uint64_t)blockIdx.x * bytes * count;
  for (int round = 0; round < 2; ++round) {
    const uint32_t t0 = clock();
    if (threadIdx.x == 0) {
      expect(barrier, bytes * count);
      for (int i = 0; i < count; ++i)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(at(memory) + 1024 + i * bytes), "l"(from + (uint64_t)i * bytes), "r"(bytes), "r"(barrier) : "memory");
    }
    const uint32_t t1 = clock();
    wait_for(barrier, round);
    const uint32_t t2 = clock();
    if (threadIdx.x == 0) { out[(blockIdx.x * 2 + round) * 2] = t1 - t0; out[(blockIdx.x * 2 + round) * 2 + 1] = t2 - t0; }
    __syncthreads();
  }
}
// Cycles of a bulk store: issue, group read, group complete.
extern "C" __global__ void store_cycles(uint8_t* to, uint32_t bytes, uint32_t* out) {
  if (threadIdx.x != 0) return;
  asm volatile("fence.proxy.async;" ::: "memory");
  for (int round = 0; round < 2; ++round) {
    const uint32_t t0 = clock();
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\ncp.async.bulk.commit_group;" :: "l"(to + (uint64_t)blockIdx.x * bytes), "r"(at(memory)), "r"(bytes) : "memory");
    const uint32_t t1 = clock();
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    const uint32_t t2 = clock();
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    const uint32_t t3 = clock();
    uint32_t* o = out + (blockIdx.x * 2 + round) * 3; o[0] = t1 - t0; o[1] = t2 - t0; o[2] = t3 - t0;
  }
}

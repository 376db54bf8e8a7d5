// Copies by the tensor memory accelerator: of one box of a tensor to and from shared memory, and of adjacent bytes.
#include <cstdint>
struct __align__(64) Map { uint64_t words[16]; };
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
#define LOAD(N, COORDS) asm volatile("cp.async.bulk.tensor." #N "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" COORDS "}], [%2];" :: "r"(to), "l"(map), "r"(barrier), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4) : "memory")
#define STORE(OP, KIND, N, COORDS) asm volatile("cp." OP ".async.bulk.tensor." #N "d.global.shared::cta" KIND ".tile.bulk_group [%0, {" COORDS "}], [%1];" :: "l"(map), "r"(from), "r"(0), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4) : "memory")
#define STORE_N(N, COORDS) asm volatile("cp.async.bulk.tensor." #N "d.global.shared::cta.tile.bulk_group [%0, {" COORDS "}], [%1];" :: "l"(map), "r"(from), "r"(0), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4) : "memory")
__device__ __forceinline__ void load(const Map* map, uint32_t to, uint32_t barrier, int rank, int c0, int c1, int c2, int c3, int c4) {
  switch (rank) {
    case 1: LOAD(1, "%3"); break;
    case 2: LOAD(2, "%3, %4"); break;
    case 3: LOAD(3, "%3, %4, %5"); break;
    case 4: LOAD(4, "%3, %4, %5, %6"); break;
    default: LOAD(5, "%3, %4, %5, %6, %7"); break;
  }
}
// Loads one box to shared offset 1024; writes `size` bytes of shared memory out.
extern "C" __global__ void tma_load(const __grid_constant__ Map map, int rank, int c0, int c1, int c2, int c3, int c4, uint32_t bytes, uint32_t size, uint32_t* out) {
  for (uint32_t i = threadIdx.x; i < size / 4; i += blockDim.x) reinterpret_cast<uint32_t*>(memory + 1024)[i] = 0xeeeeeeee;
  const uint32_t barrier = at(memory);
  if (threadIdx.x == 0) init(barrier, 1);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) { expect(barrier, bytes); load(&map, at(memory) + 1024, barrier, rank, c0, c1, c2, c3, c4); }
  wait_for(barrier, 0);
  for (uint32_t i = threadIdx.x; i < size / 4; i += blockDim.x) out[i] = reinterpret_cast<uint32_t*>(memory + 1024)[i];
}
#define REDUCE(OP) asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." OP ".tile.bulk_group [%0, {%2, %3}], [%1];" :: "l"(map), "r"(from), "r"(c0), "r"(c1) : "memory")
// Stores shared memory (copied from `in`) as one box; kind 0: store, 1 to 8: reductions.
extern "C" __global__ void tma_store(const __grid_constant__ Map map_in, int rank, int c0, int c1, int c2, int c3, int c4, int kind, uint32_t size, const uint32_t* in) {
  const Map* map = &map_in;
  for (uint32_t i = threadIdx.x; i < size / 4; i += blockDim.x) reinterpret_cast<uint32_t*>(memory)[i] = in[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  const uint32_t from = at(memory);
  if (kind == 0) {
    switch (rank) {
      case 1: STORE_N(1, "%3"); break;
      case 2: STORE_N(2, "%3, %4"); break;
      case 3: STORE_N(3, "%3, %4, %5"); break;
      case 4: STORE_N(4, "%3, %4, %5, %6"); break;
      default: STORE_N(5, "%3, %4, %5, %6, %7"); break;
    }
  }
  else if (kind == 1) REDUCE("add");
  else if (kind == 2) REDUCE("min");
  else if (kind == 3) REDUCE("max");
  else if (kind == 4) REDUCE("inc");
  else if (kind == 5) REDUCE("dec");
  else if (kind == 6) REDUCE("and");
  else if (kind == 7) REDUCE("or");
  else REDUCE("xor");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}
#define BULK(TYPE, OP) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." OP "." TYPE " [%0], [%1], %2;" :: "l"(to), "r"(from), "r"(size) : "memory")
extern "C" __global__ void bulk_reduce(uint8_t* to, const uint32_t* in, uint32_t size, int kind) {
  for (uint32_t i = threadIdx.x; i < size / 4; i += blockDim.x) reinterpret_cast<uint32_t*>(memory)[i] = in[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  const uint32_t from = at(memory);
  switch (kind) {
    case 0: BULK("f32", "add"); break;
    case 1: BULK("f16", "add.noftz"); break;
    case 2: BULK("bf16", "add.noftz"); break;
    case 3: BULK("f16", "min"); break;
    case 4: BULK("bf16", "max"); break;
    case 5: BULK("s32", "min"); break;
    case 6: BULK("u32", "inc"); break;
    case 7: BULK("u32", "dec"); break;
    case 8: BULK("u64", "add"); break;
    case 9: BULK("s64", "max"); break;
    case 10: BULK("b32", "xor"); break;
    case 11: BULK("b64", "or"); break;
    case 12: BULK("f64", "add"); break;
    default: asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(from), "r"(size) : "memory"); break;
  }
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

// Copies of the pixels of an image (im2col mode) to shared memory by the tensor memory accelerator.
#include <cstdint>
struct __align__(64) Map {
  uint64_t words[16];
};
extern __shared__ __align__(1024) uint8_t memory[];
__device__ __forceinline__ uint32_t at(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
#define LOAD(N, COORDINATES, OFFSETS)                                                                            \
  asm volatile("cp.async.bulk.tensor." #N                                                                        \
               "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {" COORDINATES           \
               "}], [%2], {" OFFSETS "};" ::"r"(to),                                                             \
               "l"(&map), "r"(barrier), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "h"((uint16_t)o0),          \
               "h"((uint16_t)o1), "h"((uint16_t)o2)                                                              \
               : "memory")

// Loads the pixels of one column to shared offset 1024; writes `size` bytes of shared memory out.
extern "C" __global__ void image_load(const __grid_constant__ Map map, int rank, int c0, int c1, int c2, int c3, int c4,
                                      int o0, int o1, int o2, uint32_t bytes, uint32_t size, uint32_t* out) {
  uint32_t* const data = reinterpret_cast<uint32_t*>(memory + 1024);
  for (uint32_t i = threadIdx.x; i < size / 4; i += blockDim.x) data[i] = 0xeeeeeeee;
  const uint32_t barrier = at(memory), to = at(data);
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.proxy.async;" ::"r"(barrier) : "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
    if (rank == 3)
      LOAD(3, "%3, %4, %5", "%8");
    else if (rank == 4)
      LOAD(4, "%3, %4, %5, %6", "%8, %9");
    else
      LOAD(5, "%3, %4, %5, %6, %7", "%8, %9, %10");
  }
  asm volatile(
      "{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W;\n}\n" ::"r"(barrier)
      : "memory");
  for (uint32_t i = threadIdx.x; i < size / 4; i += blockDim.x) out[i] = data[i];
}

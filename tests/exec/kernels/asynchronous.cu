// Small kernels with asynchronous units, right ones and ones with a planted fault. A family of kernels is a template of the
// fault; its instances, FAMILY_FAULT, are at the end of the file. Comments mark the two lines that a finding must name:
// "here: a b" one of the faults a and b, "other: a" the other one. Variants without marks are right.
#include <cstdint>

enum Fault {
  none,
  // Right variants
  late_release,
  whole_group_arrives,
  tests_before_waiting,
  fence_behind_barrier,
  two_buffers,
  // Races
  early_release,
  no_full_wait,
  no_empty_wait,
  wrong_stage_released,
  no_commit,
  no_proxy_fence,
  fence_by_one_thread,
  no_barrier,
  no_product_wait,
  no_store_wait,
  no_copy_wait,
  registers_too_early,
  no_product_fence,
  values_released_early,
  global_too_early,
  // Deadlocks
  no_release,
  too_many_bytes,
  no_announcement,
  wrong_parity,
  too_many_arrivals,
  one_round_more,
  one_load_more,
  no_first_turn,
  count_too_large,
  partner_elsewhere,
  no_remote_arrival,
};

// Macros, so that an instruction has the line of the statement that uses it.
#define INIT(barrier, count) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory")
#define WAIT(barrier, parity)                                                                             \
  asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}\n" ::"r"( \
                   barrier), "r"(parity)                                                                  \
               : "memory")
#define TEST(ready, barrier, parity)                                                                         \
  asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}\n" \
               : "=r"(ready)                                                                                \
               : "r"(barrier), "r"(parity)                                                                  \
               : "memory")
#define ARRIVE(barrier) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory")
#define EXPECT(barrier, bytes) \
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory")
#define LOAD(to, from, bytes, barrier)                                                                       \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), \
               "l"(from), "r"(bytes), "r"(barrier)                                                           \
               : "memory")
#define STORE(to, from, bytes) \
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(bytes) : "memory")
#define COMMIT_STORES() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT_FOR_READS(pending) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory")
#define WAIT_FOR_STORES() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
#define COPY(to, from) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory")
#define COMMIT_COPIES() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_FOR_COPIES(pending) asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory")
#define PROXY_FENCE() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define PRODUCT_FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define PRODUCT(d, a, b)                                                                                               \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;" : "+f"(   \
                   d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(MATRIX(a)), "l"(MATRIX(b)) : "memory")
#define NEW_PRODUCT(d, a, b)                                                                                           \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;" : "=f"(   \
                   d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "l"(MATRIX(a)), "l"(MATRIX(b)) : "memory")
#define PRODUCT_OF_REGISTERS(d, a, b)                                                                                 \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;" \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                       \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(MATRIX(b)) : "memory")
#define COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WAIT_FOR_PRODUCTS(pending) \
  asm volatile("wgmma.wait_group.sync.aligned %4;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "n"(pending) : "memory")
#define BAR_SYNC(id, count) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory")
#define BAR_ARRIVE(id, count) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory")

__device__ __forceinline__ uint32_t at(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
// Core matrices of 128 bytes without swizzle: the next one along k follows at once, the next eight rows after 256 bytes.
#define MATRIX(address) ((uint64_t)0x1000080000 | (address) >> 4)

constexpr int stages = 2, a_bytes = 2048, b_bytes = 256, stage_bytes = a_bytes + b_bytes;
struct Pipeline {
  alignas(128) uint8_t tiles[stages][stage_bytes];
  alignas(8) uint64_t full[stages], empty[stages];
};

// The structure of CUTLASS's warp-specialized matmuls: a warp loads, `groups` warp groups multiply.
template <Fault fault, int groups>
__device__ __forceinline__ void pipeline(const uint8_t* in, float* out, int rounds) {
  __shared__ Pipeline shared;
  const uint32_t full = at(shared.full), empty = at(shared.empty);
  const int group = threadIdx.x / 128;
  const int arrivals = fault == whole_group_arrives ? groups * 128 : groups;
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      INIT(full + 8 * s, 1);
      INIT(empty + 8 * s, fault == too_many_arrivals ? arrivals + 1 : arrivals);
    }
  }
  __syncthreads();
  if (group == groups) {
    if (threadIdx.x % 32 != 0) return;
    const int loads = fault == one_load_more ? rounds + stages + 1 : fault == one_round_more ? rounds - 1 : rounds;
#pragma unroll 1
    for (int i = 0; i < loads; ++i) {
      const int s = i % stages, first = fault == wrong_parity ? 0 : 1;
      const uint32_t to = at(shared.tiles[s]);
      if (fault != no_empty_wait) WAIT(empty + 8 * s, i / stages & 1 ^ first);  // here: no_release wrong_parity too_many_arrivals one_load_more
      if (fault != no_announcement) EXPECT(full + 8 * s, fault == too_many_bytes ? stage_bytes + 16 : stage_bytes);  // other: too_many_bytes one_round_more
      LOAD(to, in + i % 4 * stage_bytes, a_bytes, full + 8 * s);  // here: early_release wrong_stage_released no_commit no_empty_wait // other: no_full_wait
      LOAD(to + a_bytes, in + i % 4 * stage_bytes + a_bytes, b_bytes, full + 8 * s);  // other: no_announcement
    }
    return;
  }
  float d[4] = {};
  const int arriving = fault == whole_group_arrives ? threadIdx.x % 128 : threadIdx.x % 128 == 0 ? 0 : -1;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    const int s = i % stages, before = (i + stages - 1) % stages;
    const uint32_t from = at(shared.tiles[s]);
    if (fault == tests_before_waiting) {
      uint32_t ready;
      TEST(ready, full + 8 * s, i / stages & 1);
      out[threadIdx.x] = ready;
    }
    if (fault != no_full_wait) WAIT(full + 8 * s, i / stages & 1);  // here: too_many_bytes no_announcement one_round_more // other: no_release wrong_parity too_many_arrivals
    PRODUCT_FENCE();
    PRODUCT(d, from, from + a_bytes);  // here: no_full_wait // other: early_release wrong_stage_released no_commit no_empty_wait
    if (fault == early_release && arriving >= 0) ARRIVE(empty + 8 * s);
    if (fault != no_commit) COMMIT();
    if (fault == late_release) {
      // The products of the round before are complete.
      WAIT_FOR_PRODUCTS(1);
      if (i > 0 && arriving >= 0) ARRIVE(empty + 8 * before);
    } else if (fault == wrong_stage_released) {
      WAIT_FOR_PRODUCTS(1);
      if (arriving >= 0) ARRIVE(empty + 8 * s);
    } else {
      WAIT_FOR_PRODUCTS(0);
      if (fault != early_release && fault != no_release && arriving >= 0) ARRIVE(empty + 8 * s);  // other: one_load_more
    }
  }
  WAIT_FOR_PRODUCTS(0);
  for (int k = 0; k < 4; ++k) out[threadIdx.x * 4 + k] = d[k];
}

// Threads write operands themselves, and the next ones while products are in progress.
template <Fault fault>
__device__ __forceinline__ void written(const uint8_t* in, float* out, int rounds) {
  __shared__ alignas(128) uint32_t tiles[2][stage_bytes / 4];
  const uint32_t* const words = reinterpret_cast<const uint32_t*>(in);
  float d[4] = {};
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    uint32_t* const tile = tiles[i % 2];
    const uint32_t from = at(tile);
    for (int k = threadIdx.x; k < stage_bytes / 4; k += 128) tile[k] = words[i * stage_bytes / 4 + k] + i;  // here: no_product_wait // other: no_proxy_fence fence_by_one_thread
    if (fault == fence_by_one_thread ? threadIdx.x == 64 : fault != no_proxy_fence && fault != fence_behind_barrier) PROXY_FENCE();
    __syncthreads();
    if (fault == fence_behind_barrier) PROXY_FENCE();
    PRODUCT_FENCE();
    PRODUCT(d, from, from + a_bytes);  // here: no_proxy_fence fence_by_one_thread // other: no_product_wait
    COMMIT();
    if (fault != no_product_wait) WAIT_FOR_PRODUCTS(1);
    __syncthreads();
  }
  WAIT_FOR_PRODUCTS(0);
  for (int k = 0; k < 4; ++k) out[threadIdx.x * 4 + k] = d[k];
}

// cp.async fills operands, as in Triton's pipelined matmuls.
template <Fault fault>
__device__ __forceinline__ void copied(const uint8_t* in, float* out, int rounds) {
  __shared__ alignas(128) uint8_t tiles[3][stage_bytes];
  float d[4] = {};
  for (int i = 0; i < 2; ++i) {
    for (int k = threadIdx.x * 16; k < stage_bytes; k += 128 * 16) COPY(at(tiles[i] + k), in + i * stage_bytes + k);
    COMMIT_COPIES();
  }
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    const uint32_t from = at(tiles[i % 3]);
    if (fault != no_copy_wait) WAIT_FOR_COPIES(1);
    if (fault != no_barrier) __syncthreads();
    PRODUCT_FENCE();
    PRODUCT(d, from, from + a_bytes);  // here: no_copy_wait no_barrier // other: no_product_wait
    COMMIT();
    if (fault != no_product_wait) WAIT_FOR_PRODUCTS(0);
    __syncthreads();
    if (i + 2 < rounds)
      for (int k = threadIdx.x * 16; k < stage_bytes; k += 128 * 16) COPY(at(tiles[(i + (fault == no_product_wait ? 3 : 2)) % 3] + k), in + i * stage_bytes + k);  // here: no_product_wait // other: no_copy_wait no_barrier
    COMMIT_COPIES();
  }
  WAIT_FOR_PRODUCTS(0);
  for (int k = 0; k < 4; ++k) out[threadIdx.x * 4 + k] = d[k];
}

// Results through shared memory and bulk copies, several through the same buffer, as in the epilogue of a matmul.
template <Fault fault>
__device__ __forceinline__ void stored(const uint8_t* in, uint32_t* out, int rounds) {
  constexpr int buffers = fault == two_buffers ? 2 : 1;
  __shared__ alignas(128) uint32_t tiles[buffers][128];
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    uint32_t* const tile = tiles[i % buffers];
    tile[threadIdx.x] = in[threadIdx.x] + i;  // here: no_store_wait no_barrier // other: no_proxy_fence fence_by_one_thread
    if (fault == fence_by_one_thread ? threadIdx.x == 0 : fault != no_proxy_fence) PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x == 0) {
      STORE(out + i * 128, at(tile), 512);  // here: no_proxy_fence fence_by_one_thread // other: no_store_wait no_barrier global_too_early
      COMMIT_STORES();
      if (fault != no_store_wait) WAIT_FOR_READS(buffers - 1);
    }
    if (fault != no_barrier) __syncthreads();
  }
  if (threadIdx.x == 0 && fault != global_too_early) WAIT_FOR_STORES();
  __syncthreads();
  if (threadIdx.x == 32) out[rounds * 128] = out[0];  // here: global_too_early
}

// cp.async whose end an mbarrier tracks.
template <Fault fault>
__device__ __forceinline__ void tracked(const uint8_t* in, uint32_t* out) {
  __shared__ alignas(128) uint32_t tile[256];
  __shared__ alignas(8) uint64_t full;
  if (threadIdx.x == 0) INIT(at(&full), 64);
  __syncthreads();
  COPY(at(tile) + threadIdx.x * 16, in + threadIdx.x * 16);  // other: no_full_wait
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at(&full)) : "memory");
  if (fault != no_full_wait)
    WAIT(at(&full), 0);
  else
    __syncthreads();
  out[threadIdx.x] = tile[255 - threadIdx.x];  // here: no_full_wait
}

// A bulk copy that threads read.
template <Fault fault, bool matrices>
__device__ __forceinline__ void loaded(const uint8_t* in, uint32_t* out) {
  __shared__ alignas(128) uint32_t tile[256];
  __shared__ alignas(8) uint64_t full;
  if (threadIdx.x == 0) {
    INIT(at(&full), 1);
    EXPECT(at(&full), 1024);
    LOAD(at(tile), in, 1024, at(&full));  // other: no_full_wait
  }
  __syncthreads();
  if (fault != no_full_wait) WAIT(at(&full), 0);
  uint32_t r[4];
  if (matrices)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at(tile) + threadIdx.x * 16) : "memory");  // here: no_full_wait
  else
    r[0] = r[1] = r[2] = r[3] = tile[threadIdx.x];  // here: no_full_wait
  out[threadIdx.x] = r[0] + r[1] + r[2] + r[3];
}

// The accumulators of a product: written before it, read after it.
template <Fault fault>
__device__ __forceinline__ void accumulated(const uint8_t* in, float* out) {
  __shared__ alignas(128) uint8_t tile[stage_bytes];
  float d[4];
  for (int k = 0; k < 4; ++k) d[k] = in[threadIdx.x + k];  // other: no_product_fence
  for (int k = threadIdx.x; k < stage_bytes; k += 128) tile[k] = in[k];
  PROXY_FENCE();
  __syncthreads();
  if (fault != no_product_fence) PRODUCT_FENCE();
  PRODUCT(d, at(tile), at(tile) + a_bytes);  // here: no_product_fence // other: registers_too_early
  COMMIT();
  if (fault != registers_too_early) WAIT_FOR_PRODUCTS(0);
  out[threadIdx.x] = d[0] + d[3];  // here: registers_too_early
  WAIT_FOR_PRODUCTS(0);
}

// Two warp groups take turns with named barriers, as FlashAttention 3's do.
template <Fault fault>
__device__ __forceinline__ void turns(const uint8_t* in, float* out, int rounds) {
  __shared__ alignas(128) uint8_t tile[stage_bytes];
  const int group = threadIdx.x / 128, threads = fault == count_too_large ? 512 : 256;
  for (int k = threadIdx.x; k < stage_bytes; k += 256) tile[k] = in[k];
  PROXY_FENCE();
  __syncthreads();
  if (group == 1 && fault != no_first_turn) BAR_ARRIVE(1, threads);
  float d[4] = {};
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    if (group == 0)
      BAR_SYNC(1, threads);  // here: no_first_turn count_too_large
    else
      BAR_SYNC(2, threads);  // other: no_first_turn count_too_large
    PRODUCT_FENCE();
    PRODUCT(d, at(tile), at(tile) + a_bytes);
    COMMIT();
    if (group == 0 || i + 1 < rounds) BAR_ARRIVE(2 - group, threads);
    WAIT_FOR_PRODUCTS(0);
  }
  for (int k = 0; k < 4; ++k) out[threadIdx.x * 4 + k] = d[k];
}

// The structure of FlashAttention 3: while the tensor cores multiply P and V of the round before, threads compute the next
// P from S = Q K, which they wait for. Q stays; K and V have two stages each.
template <Fault fault>
__device__ __forceinline__ void attention(const uint8_t* in, float* out, int rounds) {
  __shared__ alignas(128) uint8_t q[a_bytes], keys[stages][2 * b_bytes], values[stages][b_bytes];
  __shared__ alignas(8) uint64_t full_q, full_k[stages], full_v[stages], empty_k[stages], empty_v[stages];
  if (threadIdx.x == 0) {
    INIT(at(&full_q), 1);
    for (int s = 0; s < stages; ++s) {
      INIT(at(full_k + s), 1);
      INIT(at(full_v + s), 1);
      INIT(at(empty_k + s), 128);
      INIT(at(empty_v + s), 128);
    }
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    if (threadIdx.x > 128) return;
    EXPECT(at(&full_q), a_bytes);
    LOAD(at(q), in, a_bytes, at(&full_q));
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) {
      const int s = i % stages;
      WAIT(at(empty_k + s), i / stages & 1 ^ 1);
      EXPECT(at(full_k + s), 2 * b_bytes);
      LOAD(at(keys[s]), in + i * 2 * b_bytes, 2 * b_bytes, at(full_k + s));
      WAIT(at(empty_v + s), i / stages & 1 ^ 1);
      EXPECT(at(full_v + s), b_bytes);
      LOAD(at(values[s]), in + i * b_bytes + 64, b_bytes, at(full_v + s));  // here: values_released_early
    }
    return;
  }
  float o[4] = {}, left[4], right[4];
  uint32_t p[4] = {};
  WAIT(at(&full_q), 0);
#pragma unroll 1
  for (int i = 0; i <= rounds; ++i) {
    const int s = i % stages, before = (i + stages - 1) % stages;
    if (i < rounds) {
      WAIT(at(full_k + s), i / stages & 1);
      PRODUCT_FENCE();
      NEW_PRODUCT(left, at(q), at(keys[s]));  // other: registers_too_early
      NEW_PRODUCT(right, at(q), at(keys[s]) + b_bytes);  // other: registers_too_early
      COMMIT();
    }
    if (i > 0) {
      WAIT(at(full_v + before), (i - 1) / stages & 1);
      PRODUCT_FENCE();
      PRODUCT_OF_REGISTERS(o, p, at(values[before]));  // other: values_released_early
      COMMIT();
      if (fault == values_released_early) ARRIVE(at(empty_v + before));
    }
    uint32_t next[4] = {};
    if (i < rounds) {
      if (fault != registers_too_early) {
        float(&d)[4] = left;
        if (i > 0) {
          WAIT_FOR_PRODUCTS(1);
        } else {
          WAIT_FOR_PRODUCTS(0);
        }
        ARRIVE(at(empty_k + s));
      }
      for (int k = 0; k < 2; ++k) asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(next[k]) : "f"(left[2 * k + 1]), "f"(left[2 * k]));  // here: registers_too_early
      for (int k = 0; k < 2; ++k) asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(next[k + 2]) : "f"(right[2 * k + 1]), "f"(right[2 * k]));  // here: registers_too_early
    }
    {
      float(&d)[4] = o;
      WAIT_FOR_PRODUCTS(0);
    }
    if (fault == registers_too_early && i < rounds) ARRIVE(at(empty_k + s));
    if (fault != values_released_early && i > 0) ARRIVE(at(empty_v + before));
    for (int k = 0; k < 4; ++k) p[k] = next[k];
  }
  for (int k = 0; k < 4; ++k) out[threadIdx.x * 4 + k] = o[k];
}

// One warp waits for an mbarrier that the others would only reach behind a barrier of the block.
template <Fault fault>
__device__ __forceinline__ void crossed(uint32_t* out) {
  __shared__ alignas(8) uint64_t ready;
  if (threadIdx.x == 0) INIT(at(&ready), 1);
  __syncthreads();
  if (threadIdx.x < 32) {
    WAIT(at(&ready), 0);  // here: partner_elsewhere
    __syncthreads();
  } else {
    if (threadIdx.x == 32 && fault == none) ARRIVE(at(&ready));
    __syncthreads();  // other: partner_elsewhere
    if (threadIdx.x == 32 && fault != none) ARRIVE(at(&ready));
  }
  out[threadIdx.x] = 1;
}

// Blocks of a cluster: block 1 waits until block 0 has arrived at its mbarrier.
template <Fault fault>
__device__ __forceinline__ void remote(uint32_t* out) {
  __shared__ alignas(8) uint64_t ready;
  uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) INIT(at(&ready), 1);
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  if (rank == 0 && threadIdx.x == 0 && fault != no_remote_arrival) {
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(there) : "r"(at(&ready)));
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
  }
  if (rank == 1) WAIT(at(&ready), 0);  // here: no_remote_arrival
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");  // other: no_remote_arrival
  out[blockIdx.x * blockDim.x + threadIdx.x] = rank;
}

#define KERNEL(name, ...) extern "C" __global__ void name(const uint8_t* in, void* out, int rounds) { __VA_ARGS__; }
#define PIPELINE(fault) KERNEL(pipeline_##fault, pipeline<fault, 1>(in, (float*)out, rounds))
#define PAIR(fault) KERNEL(pair_##fault, pipeline<fault, 2>(in, (float*)out, rounds))
#define ROUNDS(family, fault) KERNEL(family##_##fault, family<fault>(in, (float*)out, rounds))
#define STORED(fault) KERNEL(stored_##fault, stored<fault>(in, (uint32_t*)out, rounds))
#define LOADED(fault) KERNEL(loaded_##fault, loaded<fault, false>(in, (uint32_t*)out))
#define MATRICES(fault) KERNEL(matrices_##fault, loaded<fault, true>(in, (uint32_t*)out))
#define TRACKED(fault) KERNEL(tracked_##fault, tracked<fault>(in, (uint32_t*)out))
#define ACCUMULATED(fault) KERNEL(accumulated_##fault, accumulated<fault>(in, (float*)out))
#define CROSSED(fault) KERNEL(crossed_##fault, crossed<fault>((uint32_t*)out))
#define REMOTE(fault) KERNEL(remote_##fault, remote<fault>((uint32_t*)out))
PIPELINE(none)
PIPELINE(late_release)
PIPELINE(whole_group_arrives)
PIPELINE(tests_before_waiting)
PIPELINE(early_release)
PIPELINE(no_full_wait)
PIPELINE(no_empty_wait)
PIPELINE(wrong_stage_released)
PIPELINE(no_commit)
PIPELINE(no_release)
PIPELINE(too_many_bytes)
PIPELINE(no_announcement)
PIPELINE(wrong_parity)
PIPELINE(too_many_arrivals)
PIPELINE(one_round_more)
PIPELINE(one_load_more)
PAIR(none)
PAIR(late_release)
PAIR(whole_group_arrives)
PAIR(early_release)
PAIR(too_many_arrivals)
ROUNDS(written, none)
ROUNDS(written, fence_behind_barrier)
ROUNDS(written, no_proxy_fence)
ROUNDS(written, fence_by_one_thread)
ROUNDS(written, no_product_wait)
ROUNDS(copied, none)
ROUNDS(copied, no_copy_wait)
ROUNDS(copied, no_barrier)
ROUNDS(copied, no_product_wait)
ROUNDS(turns, none)
ROUNDS(turns, no_first_turn)
ROUNDS(turns, count_too_large)
ROUNDS(attention, none)
ROUNDS(attention, registers_too_early)
ROUNDS(attention, values_released_early)
STORED(none)
STORED(two_buffers)
STORED(no_proxy_fence)
STORED(fence_by_one_thread)
STORED(no_store_wait)
STORED(no_barrier)
STORED(global_too_early)
LOADED(none)
LOADED(no_full_wait)
MATRICES(none)
MATRICES(no_full_wait)
TRACKED(none)
TRACKED(no_full_wait)
ACCUMULATED(none)
ACCUMULATED(registers_too_early)
ACCUMULATED(no_product_fence)
CROSSED(none)
CROSSED(partner_elsewhere)
REMOTE(none)
REMOTE(no_remote_arrival)

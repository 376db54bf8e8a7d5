// Control flow and synchronisation of warps: branches, convergence, fences, generic addresses, polls, and the barriers
// of cooperative groups that are made of them.
#define _CG_ABI_EXPERIMENTAL
#include "bench.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace {

namespace cg = cooperative_groups;

enum class Op {
  fma,           ///< one FFMA, which follows each of the others
  skip_uniform,  ///< jumps over FFMAs, by a predicate of all threads
  skip_lanes,    ///< the same, by a predicate of each lane: BSSY, BRA, BSYNC
  both_sides,    ///< if and else
  skip_shuffle,  ///< a shuffle after skip_lanes, for which the warp must converge
  loop,          ///< four passes, or as many as the lane's number
  load_shared,   ///< chains of loads: LDS, generic (LD), and with orders
  load_generic,
  load_relaxed_cta,
  load_acquire_cta,
  load_volatile,
  load_global,
  load_relaxed_gpu,
  load_acquire_gpu,
  load_volatile_global,
  store_load_shared,
  store_load_generic,
  atom_shared,  ///< chains of atomics
  atom_shared_or,
  atom_shared_and_one_lane,
  atom_generic_or,
  atom_generic_or_one_lane,
  atom_acq_rel_cta,
  atom_relaxed_gpu,
  atom_acq_rel_gpu,
  fence_cta,
  fence_gpu,
  fence_sc_gpu,
  fence_cta_after_shared,  ///< a store before each fence
  fence_cta_after_global,
  fence_gpu_after_global,
  fence_sc_gpu_after_global,
  redux,
  vote,
  match,
  sleep,      ///< nanosleep(b)
  sync_tile,  ///< barrier of a tile of 64 or 128 threads
  reduce_tile,
};

template <int N>
__device__ void fmas(float& f) {
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f));
}

/// The operands of the operations. `next` is the value of a chain, always zero.
struct Values {
  float f;
  unsigned lanes;  ///< differs by lane
  unsigned next;
  unsigned shared;  ///< address in shared memory
  char* generic;    ///< the same as a generic address
  char* global;
  int a, b;
};

template <Op O>
__device__ void operate(Values& v) {
  unsigned& n = v.next;
  char* const generic = v.generic + n;
  char* const global = v.global + n;
  if constexpr (O == Op::fma) return;
  if constexpr (O == Op::skip_uniform) {
    if (v.a != 0) fmas<16>(v.f);
  }
  if constexpr (O == Op::skip_lanes) {
    if (v.lanes != 0) fmas<16>(v.f);
  }
  if constexpr (O == Op::both_sides) {
    if (v.lanes != 0)
      fmas<16>(v.f);
    else
      fmas<17>(v.f);
  }
  if constexpr (O == Op::skip_shuffle) {
    if (v.lanes != 0) fmas<16>(v.f);
    n = __shfl_sync(~0u, n, 0);
  }
  if constexpr (O == Op::loop) {
#pragma unroll 1
    for (unsigned i = 0; i < v.lanes; ++i) fmas<4>(v.f);
  }
  if constexpr (O == Op::load_shared) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(n) : "r"(v.shared + n));
  if constexpr (O == Op::load_generic) asm volatile("ld.u32 %0, [%1];" : "=r"(n) : "l"(generic));
  if constexpr (O == Op::load_relaxed_cta) asm volatile("ld.relaxed.cta.u32 %0, [%1];" : "=r"(n) : "l"(generic));
  if constexpr (O == Op::load_acquire_cta)
    asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(n) : "l"(generic) : "memory");
  if constexpr (O == Op::load_volatile) asm volatile("ld.volatile.u32 %0, [%1];" : "=r"(n) : "l"(generic));
  if constexpr (O == Op::load_global) asm volatile("ld.global.u32 %0, [%1];" : "=r"(n) : "l"(global));
  if constexpr (O == Op::load_relaxed_gpu) asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(n) : "l"(global));
  if constexpr (O == Op::load_acquire_gpu)
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(n) : "l"(global) : "memory");
  if constexpr (O == Op::load_volatile_global) asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(n) : "l"(global));
  if constexpr (O == Op::store_load_shared)
    asm volatile("st.volatile.shared.u32 [%1], %0; ld.volatile.shared.u32 %0, [%1];" : "+r"(n) : "r"(v.shared + n));
  if constexpr (O == Op::store_load_generic)
    asm volatile("st.volatile.u32 [%1], %0; ld.volatile.u32 %0, [%1];" : "+r"(n) : "l"(generic));
  if constexpr (O == Op::atom_shared)
    asm volatile("atom.shared.add.u32 %0, [%1], 0;" : "=r"(n) : "r"(v.shared + n) : "memory");
  if constexpr (O == Op::atom_shared_or)
    asm volatile("atom.shared.or.b32 %0, [%1], 0;" : "=r"(n) : "r"(v.shared + n) : "memory");
  if constexpr (O == Op::atom_shared_and_one_lane)
    if ((threadIdx.x & 31) == 0)
      asm volatile("atom.shared.and.b32 %0, [%1], 0;" : "=r"(n) : "r"(v.shared + n) : "memory");
  if constexpr (O == Op::atom_generic_or)
    asm volatile("atom.relaxed.cta.or.b32 %0, [%1], 0;" : "=r"(n) : "l"(generic) : "memory");
  if constexpr (O == Op::atom_generic_or_one_lane)
    if ((threadIdx.x & 31) == 0)
      asm volatile("atom.relaxed.cta.or.b32 %0, [%1], 0;" : "=r"(n) : "l"(generic) : "memory");
  if constexpr (O == Op::atom_acq_rel_cta)
    if ((threadIdx.x & 31) == 0)
      asm volatile("atom.acq_rel.cta.or.b32 %0, [%1], 0;" : "=r"(n) : "l"(generic) : "memory");
  if constexpr (O == Op::atom_relaxed_gpu)
    if ((threadIdx.x & 31) == 0)
      asm volatile("atom.relaxed.gpu.global.or.b32 %0, [%1], 0;" : "=r"(n) : "l"(global) : "memory");
  if constexpr (O == Op::atom_acq_rel_gpu)
    if ((threadIdx.x & 31) == 0)
      asm volatile("atom.acq_rel.gpu.global.or.b32 %0, [%1], 0;" : "=r"(n) : "l"(global) : "memory");
  if constexpr (O == Op::fence_cta_after_shared)
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(v.shared), "r"(n) : "memory");
  if constexpr (O == Op::fence_cta_after_global || O == Op::fence_gpu_after_global ||
                O == Op::fence_sc_gpu_after_global)
    asm volatile("st.global.u32 [%0], %1;" ::"l"(v.global), "r"(n) : "memory");
  if constexpr (O == Op::fence_cta || O == Op::fence_cta_after_shared || O == Op::fence_cta_after_global)
    asm volatile("fence.acq_rel.cta;" ::: "memory");
  if constexpr (O == Op::fence_gpu || O == Op::fence_gpu_after_global) asm volatile("fence.acq_rel.gpu;" ::: "memory");
  if constexpr (O == Op::fence_sc_gpu || O == Op::fence_sc_gpu_after_global) asm volatile("fence.sc.gpu;" ::: "memory");
  if constexpr (O == Op::redux) n = __reduce_or_sync(~0u, n);
  if constexpr (O == Op::vote) n = __ballot_sync(~0u, n != 0);
  if constexpr (O == Op::match) n = __match_any_sync(~0u, n) == 0;
  if constexpr (O == Op::sleep) asm volatile("nanosleep.u32 %0;" ::"r"(v.b));
}

/// Each warp notes when it starts and ends; all threads of a warp take part in each operation.
template <Op O>
__global__ void __launch_bounds__(1024)
    control(char* data, int a, int b, int rounds, Span* spans, unsigned* sms, unsigned* sink) {
  __shared__ unsigned words[1024];
  words[threadIdx.x] = 0;
  Values v{1.0f, 0, 0, 0, nullptr, data + 4096 + threadIdx.x * 4, a, b};
  const unsigned lane = threadIdx.x & 31;
  asm volatile("mov.u32 %0, 0;" : "=r"(v.next));
  v.lanes = reinterpret_cast<const unsigned*>(data)[lane];
  v.shared = static_cast<unsigned>(__cvta_generic_to_shared(words + threadIdx.x));
  v.generic = reinterpret_cast<char*>(words + threadIdx.x);
  __syncthreads();
  long long start = 0;
  if constexpr (O == Op::sync_tile || O == Op::reduce_tile) {
    const auto tiles = [&](const auto& tile) {
#pragma unroll 1
      for (int k = -1; k < rounds; ++k) {
        if (k == 0) {
          __syncthreads();
          start = now();
        }
        if (O == Op::sync_tile)
          tile.sync();
        else
          v.next += cg::reduce(tile, v.next, cg::plus<unsigned>());
      }
    };
    const auto wide = cg::tiled_partition<128>(cg::this_thread_block());
    if (a == 128)
      tiles(wide);
    else
      tiles(cg::tiled_partition<64>(wide));
  } else {
#pragma unroll 1
    for (int k = -1; k < rounds; ++k) {
      if (k == 0) {
        __syncthreads();
        start = now();
      }
#pragma unroll
      for (int u = 0; u < 8; ++u) {
        operate<O>(v);
        fmas<1>(v.f);
      }
    }
  }
  const long long end = stamp(v.next + (v.f == 0.5f));
  if (v.f == 2.0f || v.next == 1) *sink = v.next;
  if (lane == 0) spans[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {start, end};
  if (threadIdx.x == 0) sms[blockIdx.x] = sm_id();
}

struct Bench {
  DeviceArray<char> data{1 << 20};
  DeviceArray<Span> spans{sm_count() * std::size_t(64)};
  DeviceArray<unsigned> sms{sm_count() * std::size_t(32)}, sink{1};

  /// `lanes`: what each lane has in Values::lanes.
  template <Op O>
  void measure(const char* name, const char* what = "", std::vector<unsigned> lanes = {}, int a = 0, int b = 0) {
    lanes.resize(32, lanes.empty() ? 0 : lanes.back());
    check(cudaMemcpy(data.get(), lanes.data(), 128, cudaMemcpyHostToDevice));
    struct Shape {
      int threads, blocks;
    };
    const bool tiles = O == Op::sync_tile || O == Op::reduce_tile;
    for (const Shape& shape : tiles ? std::vector<Shape>{{128, 1}, {256, 1}, {256, 4}, {256, 8}}
                                    : std::vector<Shape>{{32, 1}, {128, 1}, {512, 1}, {1024, 1}, {1024, 2}}) {
      const int rounds = 32, blocks = sm_count() * shape.blocks, warps = shape.threads / 32, each = tiles ? 1 : 8;
      double best = 1e30;
      int count = 0;
      for (int run = 0; run < 2; ++run) {
        control<O><<<blocks, shape.threads>>>(data.get(), a, b, rounds, spans.get(), sms.get(), sink.get());
        check(cudaGetLastError());
        const auto all = spans.read(std::size_t(blocks) * warps);
        const auto on = sms.read(blocks);
        std::vector<Span> own;
        for (int i = 0; i < blocks * warps; ++i)
          if (on[i / warps] == 5) own.push_back(all[i]);
        count = int(own.size());
        best = std::min(best, double(cycles_of(own)) / (rounds * each));
      }
      row("control", name,
          std::string(what) + (*what ? " " : "") + named("threads", shape.threads) + " " + named("a", a) + " " +
              named("b", b) + " " + named("lanes", lanes[0] * 100 + lanes[31]) + " " + named("warps", count),
          best, "cycles/operation");
    }
    std::fflush(stdout);
  }
};

}  // namespace

int main() {
  Bench b;
  std::vector<unsigned> half(32), number(32);
  for (unsigned i = 0; i < 32; ++i) half[i] = i / 16, number[i] = i;
  b.measure<Op::fma>("FFMA");
  b.measure<Op::skip_uniform>("skip_uniform", "taken");
  b.measure<Op::skip_uniform>("skip_uniform", "not_taken", {}, 1);
  b.measure<Op::skip_lanes>("skip_lanes", "taken");
  b.measure<Op::skip_lanes>("skip_lanes", "not_taken", {1});
  b.measure<Op::skip_lanes>("skip_lanes", "half", half);
  b.measure<Op::both_sides>("both_sides", "else");
  b.measure<Op::both_sides>("both_sides", "if", {1});
  b.measure<Op::both_sides>("both_sides", "half", half);
  b.measure<Op::skip_shuffle>("skip_shuffle", "taken");
  b.measure<Op::skip_shuffle>("skip_shuffle", "half", half);
  b.measure<Op::loop>("loop", "passes=4", {4});
  b.measure<Op::loop>("loop", "passes=8", {8});
  b.measure<Op::loop>("loop", "passes=lane", number);
  b.measure<Op::load_shared>("load_shared");
  b.measure<Op::load_generic>("load_generic");
  b.measure<Op::load_relaxed_cta>("load_relaxed_cta");
  b.measure<Op::load_acquire_cta>("load_acquire_cta");
  b.measure<Op::load_volatile>("load_volatile");
  b.measure<Op::load_global>("load_global");
  b.measure<Op::load_relaxed_gpu>("load_relaxed_gpu");
  b.measure<Op::load_acquire_gpu>("load_acquire_gpu");
  b.measure<Op::load_volatile_global>("load_volatile_global");
  b.measure<Op::store_load_shared>("store_load_shared");
  b.measure<Op::store_load_generic>("store_load_generic");
  b.measure<Op::atom_shared>("atom_shared");
  b.measure<Op::atom_shared_or>("atom_shared_or");
  b.measure<Op::atom_shared_and_one_lane>("atom_shared_and_one_lane");
  b.measure<Op::atom_generic_or>("atom_generic_or");
  b.measure<Op::atom_generic_or_one_lane>("atom_generic_or_one_lane");
  b.measure<Op::atom_acq_rel_cta>("atom_acq_rel_cta");
  b.measure<Op::atom_relaxed_gpu>("atom_relaxed_gpu");
  b.measure<Op::atom_acq_rel_gpu>("atom_acq_rel_gpu");
  b.measure<Op::fence_cta>("fence_cta");
  b.measure<Op::fence_gpu>("fence_gpu");
  b.measure<Op::fence_sc_gpu>("fence_sc_gpu");
  b.measure<Op::fence_cta_after_shared>("fence_cta_after_shared");
  b.measure<Op::fence_cta_after_global>("fence_cta_after_global");
  b.measure<Op::fence_gpu_after_global>("fence_gpu_after_global");
  b.measure<Op::fence_sc_gpu_after_global>("fence_sc_gpu_after_global");
  b.measure<Op::redux>("redux");
  b.measure<Op::vote>("vote");
  b.measure<Op::match>("match");
  for (int time : {0, 1, 20, 40, 100, 500}) b.measure<Op::sleep>("sleep", "", {}, 0, time);
  for (int size : {64, 128}) {
    b.measure<Op::sync_tile>("sync_tile", "", {}, size);
    b.measure<Op::reduce_tile>("reduce_tile", "", {}, size);
  }
}

// The sub-partitions of an SM: which warps lie in which, what one of them can issue, in what order it issues, and
// barriers of several blocks.
#include "bench.h"

namespace {

__device__ unsigned warp_slot() {
  unsigned id;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(id));
  return id;
}

/// One warp of each block computes; the others wait for it. The time shows how many of those warps share a scheduler.
__global__ void leaders(int leader, int rounds, float* sink, Span* spans, unsigned* sm, unsigned* slot) {
  const unsigned warp = threadIdx.x / 32;
  float v[8];
  for (int i = 0; i < 8; ++i) v[i] = threadIdx.x + i;
  const long long start = now();
  if (warp == leader)
#pragma unroll 1
    for (int k = 0; k < rounds; ++k)
#pragma unroll
      for (int u = 0; u < 4; ++u)
#pragma unroll
        for (int i = 0; i < 8; ++i) v[i] = v[i] * 0.5f + 1.0f;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += v[i];
  if (sum == 1.5f) *sink = sum;
  if (threadIdx.x == leader * 32) {
    spans[blockIdx.x] = {start, now()};
    sm[blockIdx.x] = sm_id();
    slot[blockIdx.x] = warp_slot();
  }
}

template <class Op>
__global__ void __launch_bounds__(1024)
    some_partitions(Op op, int partitions, int each, int rounds, unsigned a, Span* spans, unsigned* sink) {
  __shared__ unsigned zeros[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) zeros[i] = 0;
  const unsigned warp = threadIdx.x / 32;
  const bool active = warp % 4 < partitions && warp / 4 < each;
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(zeros)) + (threadIdx.x & 31) * 4;
  unsigned r[8] = {};
  long long start = 0, end = 0;
#pragma unroll 1
  for (int k = -1; k < 1; ++k) {
    __syncthreads();
    start = now();
    if (active)
#pragma unroll 1
      for (int j = 0; j < rounds; ++j)
#pragma unroll
        for (int u = 0; u < 4; ++u)
#pragma unroll
          for (int i = 0; i < 8; ++i) op(r[i], a, shared);
    end = now();
  }
  unsigned sum = 0;
  for (unsigned v : r) sum ^= v;
  if (sum == 0x12345678) *sink = sum;
  if ((threadIdx.x & 31) == 0) spans[warp] = active ? Span{start, end} : Span{};
}

struct Bench {
  DeviceArray<Span> spans{8192};
  DeviceArray<unsigned> sink{1}, sm{8192}, slot{8192};
  DeviceArray<char> global{1 << 20};

  template <class Op>
  void issue(const char* name, Op op, unsigned a = 0) {
    for (int partitions : {1, 2, 4})
      for (int each : {1, 2, 4, 8}) {
        double best = 1e30;
        for (int run = 0; run < 3; ++run) {
          some_partitions<<<1, 1024>>>(op, partitions, each, 16, a, spans.get(), sink.get());
          check(cudaGetLastError());
          std::vector<Span> active;
          for (const Span& span : spans.read(32))
            if (span.end != 0) active.push_back(span);
          best = std::min(best, double(cycles_of(active)) / (16 * 32 * each));
        }
        row("issue", name, named("partitions", partitions) + " " + named("warps", each), best,
            "cycles/instruction of a sub-partition");
      }
    std::fflush(stdout);
  }
};

void mapping(Bench& b) {
  for (int threads : {32, 64, 96, 128, 160, 192, 256, 512})
    for (int leader : {0, 1}) {
      if (leader * 32 >= threads) continue;
      const int per_sm = std::min(32, 2048 / ((threads + 31) / 32 * 32)), blocks = per_sm * sm_count();
      leaders<<<blocks, threads>>>(leader, 512, reinterpret_cast<float*>(b.sink.get()), b.spans.get(), b.sm.get(),
                                   b.slot.get());
      check(cudaGetLastError());
      const auto spans = b.spans.read(blocks);
      const auto sm = b.sm.read(blocks), slot = b.slot.read(blocks);
      std::vector<Span> own;
      int used[4] = {};
      std::string slots;
      for (int i = 0; i < blocks; ++i)
        if (sm[i] == 5) {
          own.push_back(spans[i]);
          ++used[slot[i] % 4];
          slots += ":" + std::to_string(slot[i]);
        }
      const std::string what = named("threads", threads) + " " + named("leader", leader);
      row("mapping", "leaders", what + " blocks=" + std::to_string(own.size()) + " slots=" + slots,
          double(cycles_of(own)) / (512 * 32), "cycles/instruction of a leader");
    }
}

void instructions(Bench& b) {
  b.issue("LDS", [] __device__(unsigned& r, unsigned, unsigned shared) {
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r) : "r"(shared));
  });
  b.issue("STS", [] __device__(unsigned& r, unsigned, unsigned shared) {
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(shared), "r"(r));
  });
  b.issue("LDS_false", [] __device__(unsigned& r, unsigned a, unsigned shared) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; @p ld.volatile.shared.u32 %0, [%2];}"
                 : "+r"(r)
                 : "r"(a), "r"(shared));
  });
  b.issue("STS_false", [] __device__(unsigned& r, unsigned a, unsigned shared) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; @p st.volatile.shared.u32 [%2], %0;}" ::"r"(r), "r"(a),
                 "r"(shared));
  });
  char* const global = b.global.get();
  b.issue("LDG_false", [global] __device__(unsigned& r, unsigned a, unsigned) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; @p ld.global.u32 %0, [%2];}"
                 : "+r"(r)
                 : "r"(a), "l"(global + (threadIdx.x & 31) * 4));
  });
  b.issue("STG_false", [global] __device__(unsigned& r, unsigned a, unsigned) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.u32 [%2], %0;}" ::"r"(r), "r"(a),
                 "l"(global + (threadIdx.x & 31) * 4));
  });
  b.issue("SHFL", [] __device__(unsigned& r, unsigned, unsigned) { r = __shfl_xor_sync(~0u, r, 1); });
  b.issue("MUFU", [] __device__(unsigned& r, unsigned, unsigned) {
    float f = __uint_as_float(r);
    asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(f));
    r = __float_as_uint(f);
  });
  b.issue("VOTE", [] __device__(unsigned& r, unsigned, unsigned) { r += __ballot_sync(~0u, r & 1); });
  b.issue("MATCH", [] __device__(unsigned& r, unsigned, unsigned) { r = __match_any_sync(~0u, r); });
}

/// Each warp notes the clock between runs of 32 instructions.
template <int Chains>
__global__ void __launch_bounds__(1024) order(int partitions, long long* clocks, float* sink) {
  __shared__ long long times[32][16];
  const unsigned warp = threadIdx.x / 32;
  float v[Chains];
  for (int i = 0; i < Chains; ++i) v[i] = threadIdx.x + i;
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    if (warp % 4 < partitions)
#pragma unroll
      for (int s = 0; s < 16; ++s) {
        const long long time = now();
#pragma unroll
        for (int u = 0; u < 32 / Chains; ++u)
#pragma unroll
          for (int i = 0; i < Chains; ++i) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(v[i]));
        if ((threadIdx.x & 31) == 0) times[warp][s] = time;
      }
  }
  __syncthreads();
  float sum = 0;
  for (float f : v) sum += f;
  if (sum == 1.5f) *sink = sum;
  if (threadIdx.x < 512) clocks[threadIdx.x] = times[threadIdx.x / 16][threadIdx.x % 16];
}

template <int Chains>
void issue_order(Bench& b) {
  DeviceArray<long long> clocks(512);
  for (int used : {4, 8}) {
    order<Chains><<<1, used * 128>>>(1, clocks.get(), reinterpret_cast<float*>(b.sink.get()));
    check(cudaGetLastError());
    const auto times = clocks.read(512);
    long long first = times[0];
    for (int w = 0; w < used; ++w) first = std::min(first, times[w * 4 * 16]);
    for (int w = 0; w < used; ++w) {
      std::string list;
      for (int s = 0; s < 16; ++s) list += ":" + std::to_string(times[w * 4 * 16 + s] - first);
      row("order", "FFMA",
          named("chains", Chains) + " " + named("warps", used) + " " + named("warp", w) + " at=" + list,
          double(times[w * 4 * 16 + 15] - first), "cycles");
    }
  }
}

/// Barriers of several blocks on one SM.
__global__ void barriers(int rounds, Span* spans, unsigned* sm) {
  __syncthreads();
  const long long start = now();
#pragma unroll 8
  for (int k = 0; k < rounds; ++k) __syncthreads();
  if (threadIdx.x == 0) {
    spans[blockIdx.x] = {start, now()};
    sm[blockIdx.x] = sm_id();
  }
}

void barriers_of_blocks(Bench& b) {
  for (int threads : {32, 64, 128, 256, 512, 1024})
    for (int per_sm : {1, 2, 4, 8, 16, 32}) {
      if (per_sm * threads > 2048) continue;
      const int blocks = per_sm * sm_count(), rounds = 1024;
      barriers<<<blocks, threads>>>(rounds, b.spans.get(), b.sm.get());
      check(cudaGetLastError());
      const auto spans = b.spans.read(blocks);
      const auto sm = b.sm.read(blocks);
      std::vector<Span> own;
      for (int i = 0; i < blocks; ++i)
        if (sm[i] == 5) own.push_back(spans[i]);
      row("barrier", "BAR.SYNC", named("threads", threads) + " " + named("blocks", static_cast<long long>(own.size())),
          double(cycles_of(own)) / rounds, "cycles/barrier");
    }
}

}  // namespace

int main() {
  Bench bench;
  mapping(bench);
  instructions(bench);
  issue_order<1>(bench);
  issue_order<2>(bench);
  issue_order<8>(bench);
  barriers_of_blocks(bench);
}

// Users of the queue of memory instructions and of the load-store unit: barriers between accesses to shared memory,
// matrix loads, asynchronous copies and instructions that no lane executes.
#include "bench.h"

namespace {

/// Instructions of a warp per round, in this order: copies (LDGSTS), a barrier, loads and matrix loads of shared
/// memory, shuffles, a second barrier, stores, LDS that no lane executes.
struct Mix {
  int copies = 0, bars = 0, loads = 0, matrices = 0, shuffles = 0, stores = 0, idle = 0;
  bool cached = false;  ///< copies: through L1 (LDGSTS without BYPASS)
  bool waits = true;    ///< for the loads before the second barrier
  bool transposed = false;
};

template <int Copies, int Bars, int Loads, int Matrices, int Shuffles, int Stores, int Idle, bool Cached, bool Waits,
          bool Transposed>
__global__ void __launch_bounds__(1024)
    mixed(const char* data, int a, int b, int rounds, Span* spans, unsigned* sms, unsigned* sink) {
  constexpr Mix M{Copies, Bars, Loads, Matrices, Shuffles, Stores, Idle, Cached, Waits, Transposed};
  extern __shared__ uint4 area[];  // 512 B per warp
  __shared__ unsigned words[1056];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  words[threadIdx.x] = 0;
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(words + threadIdx.x));
  const unsigned matrix = static_cast<unsigned>(__cvta_generic_to_shared(area + threadIdx.x));
  // Copies: 512 consecutive bytes per warp, or eight rows of 64 B, `a` bytes apart.
  const char* const from = a == 0 ? data + threadIdx.x * 16 : data + warp * 64 + lane / 4 * a + lane % 4 * 16;
  unsigned sum = 0, value = lane;
  __syncthreads();
  if (b != 0 && sm_id() != 5) return;
  const long long start = now();
#pragma unroll 2
  for (int k = 0; k < rounds; ++k) {
#pragma unroll
    for (int i = 0; i < M.copies; ++i) {
      if (M.cached)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(matrix), "l"(from + i * 65536));
      else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(matrix), "l"(from + i * 65536));
    }
    if (M.copies > 0) {
      asm volatile("cp.async.commit_group;");
      asm volatile("cp.async.wait_group 3;" ::: "memory");
    }
    if (M.bars > 0) asm volatile("bar.sync 0;" ::: "memory");
    unsigned r[8] = {};
#pragma unroll
    for (int i = 0; i < M.loads; ++i) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[i]) : "r"(own + i * 4));
#pragma unroll
    for (int i = 0; i < M.matrices; ++i) {
      unsigned m[4];
      if (M.transposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                     : "r"(matrix));
      else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                     : "r"(matrix));
      r[i] ^= m[0] ^ m[1] ^ m[2] ^ m[3];
    }
#pragma unroll
    for (int i = 0; i < M.shuffles; ++i) value = __shfl_xor_sync(~0u, value, 1 << i);
    if (M.waits) {
#pragma unroll
      for (unsigned v : r) asm volatile("xor.b32 %0, %0, %1;" : "+r"(sum) : "r"(v));
    }
    if (M.bars > 1) asm volatile("bar.sync 0;" ::: "memory");
    if (!M.waits) {
#pragma unroll
      for (unsigned v : r) asm volatile("xor.b32 %0, %0, %1;" : "+r"(sum) : "r"(v));
    }
#pragma unroll
    for (int i = 0; i < M.stores; ++i) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(own), "r"(k));
#pragma unroll
    for (int i = 0; i < M.idle; ++i)
      asm volatile("{.reg .pred p; setp.gt.s32 p, %0, 1; @p ld.volatile.shared.u32 %1, [%2];}"
                   : "+r"(b), "+r"(r[0])
                   : "r"(own));
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  const long long end = stamp(sum);
  if (sum == 1 || value == 64) *sink = sum;
  if (lane == 0) spans[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {start, end};
  if (threadIdx.x == 0) sms[blockIdx.x] = sm_id();
}

struct Bench {
  DeviceArray<char> data{4 << 20};
  DeviceArray<Span> spans{sm_count() * std::size_t(64)};
  DeviceArray<unsigned> sms{sm_count() * std::size_t(32)}, sink{1};

  template <Mix M>
  void measure(const char* name, int a = 0) {
    struct Shape {
      int threads, blocks;
    };
    for (const Shape& shape : {Shape{128, 1}, {128, 4}, {128, 8}, {128, 16}, {1024, 1}, {1024, 2}}) {
      const int rounds = 128, blocks = sm_count() * shape.blocks, warps = shape.threads / 32;
      const int alone = M.copies > 0 ? 1 : 0;  // copies: one SM, so that L2 is not the limit
      double best = 1e30;
      int count = 0;
      for (int run = 0; run < 2; ++run) {
        sms.clear();
        check(cudaMemset(sms.get(), 0xff, sms.bytes()));
        mixed<M.copies, M.bars, M.loads, M.matrices, M.shuffles, M.stores, M.idle, M.cached, M.waits, M.transposed>
            <<<blocks, shape.threads, shape.threads * 16>>>(data.get(), a, alone, rounds, spans.get(), sms.get(),
                                                            sink.get());
        check(cudaGetLastError());
        const auto all = spans.read(std::size_t(blocks) * warps);
        const auto on = sms.read(blocks);
        std::vector<Span> own;
        for (int i = 0; i < blocks * warps; ++i)
          if (on[i / warps] == 5) own.push_back(all[i]);
        count = int(own.size());
        if (count > 0) best = std::min(best, double(cycles_of(own)) / rounds);
      }
      row("mix", name,
          named("copies", M.copies) + " " + named("bars", M.bars) + " " + named("loads", M.loads) + " " +
              named("matrices", M.matrices) + " " + named("shuffles", M.shuffles) + " " + named("stores", M.stores) +
              " " + named("idle", M.idle) + " " + named("a", a) + " " + named("threads", shape.threads) + " " +
              named("warps", count),
          best, "cycles/round");
    }
    std::fflush(stdout);
  }
};

}  // namespace

int main() {
  Bench b;
  b.measure<Mix{.bars = 1}>("bar");
  b.measure<Mix{.bars = 2}>("bar");
  b.measure<Mix{.loads = 4}>("load");
  b.measure<Mix{.bars = 1, .loads = 1}>("bar_load");
  b.measure<Mix{.bars = 1, .loads = 2}>("bar_load");
  b.measure<Mix{.bars = 1, .loads = 4}>("bar_load");
  b.measure<Mix{.bars = 1, .loads = 8}>("bar_load");
  b.measure<Mix{.bars = 2, .loads = 1}>("bar_load");
  b.measure<Mix{.bars = 2, .loads = 2}>("bar_load");
  b.measure<Mix{.bars = 2, .loads = 4}>("bar_load");
  b.measure<Mix{.bars = 2, .loads = 2, .waits = false}>("bar_load_late");
  b.measure<Mix{.bars = 1, .stores = 1}>("bar_store");
  b.measure<Mix{.bars = 1, .stores = 4}>("bar_store");
  b.measure<Mix{.bars = 2, .loads = 2, .stores = 1}>("bar_load_store");
  b.measure<Mix{.bars = 2, .shuffles = 2}>("bar_shuffle");
  b.measure<Mix{.bars = 1, .shuffles = 4}>("bar_shuffle");
  b.measure<Mix{.idle = 4}>("idle");
  b.measure<Mix{.bars = 1, .idle = 3}>("bar_idle");
  b.measure<Mix{.loads = 4, .idle = 4}>("load_idle");
  b.measure<Mix{.matrices = 2}>("matrix");
  b.measure<Mix{.matrices = 4}>("matrix");
  b.measure<Mix{.matrices = 4, .transposed = true}>("matrix_transposed");
  b.measure<Mix{.matrices = 2, .idle = 4}>("matrix_idle");
  b.measure<Mix{.bars = 2, .matrices = 2}>("bar_matrix");
  b.measure<Mix{.bars = 2, .matrices = 4}>("bar_matrix");
  for (int stride : {0, 64, 256, 2048}) {
    b.measure<Mix{.copies = 1}>("copy", stride);
    b.measure<Mix{.copies = 2}>("copy", stride);
    b.measure<Mix{.copies = 2, .cached = true}>("copy_cached", stride);
    b.measure<Mix{.copies = 2, .bars = 1}>("bar_copy", stride);
    b.measure<Mix{.copies = 2, .bars = 2, .matrices = 4}>("bar_copy_matrix", stride);
  }
  b.measure<Mix{.copies = 4}>("copy");
}

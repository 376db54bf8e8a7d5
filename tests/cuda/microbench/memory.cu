// Shared memory, L1 and accesses of L2 from one SM: latency, and cycles per request by address pattern.
#include "bench.h"

namespace {

constexpr int large = 512 << 10;  // bytes that one SM accesses
constexpr int small = 128 << 10;

enum class Space { shared_load, shared_store, l1_load, l2_load, global_store, async_copy };

/// Lane i accesses byte (i % groups) * step + (i / groups) * width of a 4 KB region.
struct Pattern {
  unsigned groups, step;
};

template <class Word>
__device__ void access(Space space, unsigned shared, const char* global, unsigned& sum) {
  constexpr int size = sizeof(Word);
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (space == Space::shared_load) {
    if (size == 4) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(shared));
    if (size == 8) asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(shared));
    if (size == 16)
      asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(shared));
  } else if (space == Space::shared_store) {
    if (size == 4) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(shared), "r"(sum));
    if (size == 8) asm volatile("st.volatile.shared.v2.u32 [%0], {%1,%1};" ::"r"(shared), "r"(sum));
    if (size == 16) asm volatile("st.volatile.shared.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(shared), "r"(sum));
  } else if (space == Space::l1_load) {
    if (size == 4) asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(global));
    if (size == 8) asm volatile("ld.global.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(global));
    if (size == 16)
      asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(global));
  } else if (space == Space::l2_load) {
    if (size == 4) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(global));
    if (size == 8) asm volatile("ld.global.cg.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(global));
    if (size == 16)
      asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(global));
  } else if (space == Space::global_store) {
    if (size == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(global), "r"(sum));
    if (size == 8) asm volatile("st.global.v2.u32 [%0], {%1,%1};" ::"l"(global), "r"(sum));
    if (size == 16) asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(global), "r"(sum));
  } else {
    if (size == 16)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(global));
    else if (size == 8)
      asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(shared), "l"(global));
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(global));
  }
  sum ^= a ^ b ^ c ^ d;
}

// Every warp accesses U regions of 4 KB in turn; the regions of an SM lie in one window.
template <Space S, class Word, int U>
__global__ void __launch_bounds__(1024)
    throughput(char* global, Pattern pattern, int rounds, unsigned window, Span* spans, unsigned* sink) {
  extern __shared__ char shared[];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  const unsigned offset = (lane % pattern.groups) * pattern.step + (lane / pattern.groups) * sizeof(Word);
  const unsigned region = warp * U * 4096;
  const bool in_shared = S == Space::shared_load || S == Space::shared_store;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(shared)) +
                      (in_shared ? warp % 4 * 4096 : region % (32 << 10)) + offset;
  const char* from = global + std::size_t(blockIdx.x) * window + region % window + offset;
  unsigned sum = 0;
  long long start = 0;
#pragma unroll 1
  for (int k = -2; k < rounds; ++k) {
    if (k == 0) {
      __syncthreads();
      start = now();
    }
#pragma unroll
    for (int u = 0; u < U; ++u) access<Word>(S, in_shared ? at : at + u * 4096, from + u * 4096, sum);
    if (S == Space::async_copy) {
      asm volatile("cp.async.commit_group;");
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    }
  }
  if (sum == 1) *sink = sum;
  if (S == Space::async_copy) asm volatile("cp.async.wait_group 0;" ::: "memory");
  __threadfence_block();
  const long long end = now();
  if (lane == 0 && blockIdx.x == 0) spans[warp] = {start, end};
}

// A chain of loads: each memory cell holds its own address.
template <Space S, class Word>
__global__ void latency(char* global, Pattern pattern, Span* spans) {
  extern __shared__ unsigned words[];
  const unsigned lane = threadIdx.x & 31;
  const unsigned offset = (lane % pattern.groups) * pattern.step + (lane / pattern.groups) * sizeof(Word);
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(words)) + (offset & 8191);
  char* at = global + offset;
  const unsigned low = static_cast<unsigned>(reinterpret_cast<std::size_t>(at));
  const unsigned high = static_cast<unsigned>(reinterpret_cast<std::size_t>(at) >> 32);
  for (unsigned i = 0; i < sizeof(Word) / 4; ++i) {
    reinterpret_cast<volatile unsigned*>(at)[i] = i == 1 ? high : low;
    words[(offset & 8191) / 4 + i] = base;
  }
  __threadfence();
  __syncthreads();
  unsigned next = S == Space::shared_load ? base : low;
  long long start = 0;
#pragma unroll
  for (int k = 0; k < 33; ++k) {
    if (k == 1) start = stamp(next);
    unsigned sum = 0, b = 0, c = 0, d = 0;
    if (S == Space::shared_load) {
      if (sizeof(Word) == 4) asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(next));
      if (sizeof(Word) == 8) asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%0];" : "+r"(next), "=r"(b));
      if (sizeof(Word) == 16)
        asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%0];" : "+r"(next), "=r"(b), "=r"(c), "=r"(d));
    } else if (S == Space::async_copy) {
      access<Word>(S, base, at, sum);
      asm volatile("cp.async.wait_all;" ::: "memory");
    } else {
      std::size_t address;
      asm volatile("mov.b64 %0, {%1, %2};" : "=l"(address) : "r"(next), "r"(high));
      const char* from = reinterpret_cast<const char*>(address);
      if (S == Space::l1_load) {
        if (sizeof(Word) == 4) asm volatile("ld.global.u32 %0, [%1];" : "=r"(next) : "l"(from));
        if (sizeof(Word) == 8) asm volatile("ld.global.v2.u32 {%0,%1}, [%2];" : "=r"(next), "=r"(b) : "l"(from));
        if (sizeof(Word) == 16)
          asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(next), "=r"(b), "=r"(c), "=r"(d) : "l"(from));
      } else {
        if (sizeof(Word) == 4) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(next) : "l"(from));
        if (sizeof(Word) == 8) asm volatile("ld.global.cg.v2.u32 {%0,%1}, [%2];" : "=r"(next), "=r"(b) : "l"(from));
        if (sizeof(Word) == 16)
          asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(next), "=r"(b), "=r"(c), "=r"(d) : "l"(from));
      }
    }
  }
  words[4096 + threadIdx.x] = next;
  if (threadIdx.x == 0) spans[0] = {start, stamp(next)};
}

struct Bench {
  DeviceArray<char> global{std::size_t(sm_count()) * large};
  DeviceArray<Span> spans{32};
  DeviceArray<unsigned> sink{1};
  int sms = sm_count();

  template <Space S, class Word>
  void pattern(const char* name, Pattern p, const std::string& what, bool everywhere) {
    const int rounds = 32;
    check(cudaFuncSetAttribute(throughput<S, Word, 4>, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 << 10));
    for (int blocks : {1, sms}) {
      if (blocks > 1 && !everywhere) continue;
      for (int warps : {1, 2, 4, 8, 16, 32}) {
        if (blocks > 1 && warps < 16) continue;
        const int shared = blocks == 1 ? 40 << 10 : 120 << 10;  // one block per SM
        const int window = S == Space::l1_load || blocks != 1 ? small : large;
        throughput<S, Word, 4>
            <<<blocks, warps * 32, shared>>>(global.get(), p, rounds, window, spans.get(), sink.get());
        check(cudaGetLastError());
        row("memory", name,
            what + " " + named("width", sizeof(Word) * 8) + " " + named("warps", warps) + " " + named("sms", blocks),
            double(cycles_of(spans.read(warps))) / (rounds * 4 * warps), "cycles/request");
      }
    }
  }
  template <Space S, class Word>
  void chain(const char* name, Pattern p, const std::string& what) {
    latency<S, Word><<<1, 32, 40 << 10>>>(global.get(), p, spans.get());
    check(cudaGetLastError());
    row("memory_latency", name, what + " " + named("width", sizeof(Word) * 8), double(cycles_of(spans.read(1))) / 32,
        "cycles");
  }

  // n-way conflicts: n lanes per bank in different words.
  template <class Word>
  void conflicts() {
    for (unsigned ways : {1, 2, 4, 8, 16, 32}) {
      if (sizeof(Word) * ways * 32 > 8192) continue;
      const Pattern p{32, static_cast<unsigned>(sizeof(Word)) * ways};
      const std::string what = named("stride_words", ways);
      pattern<Space::shared_load, Word>("LDS", p, what, false);
      pattern<Space::shared_store, Word>("STS", p, what, false);
      chain<Space::shared_load, Word>("LDS", p, what);
    }
    pattern<Space::shared_load, Word>("LDS", {1, 0}, "consecutive", false);
    pattern<Space::shared_load, Word>("LDS", {32, 0}, "broadcast", false);
  }

  template <class Word>
  void lines() {
    // Requests that touch some number of lines, in each one sector or as many as the lanes fill.
    for (unsigned lines : {1, 2, 4, 8, 16, 32}) {
      const Pattern p{lines, 128};
      const std::string what = named("lines", lines);
      pattern<Space::l1_load, Word>("LDG_l1", p, what, false);
      pattern<Space::l2_load, Word>("LDG_l2", p, what, true);
      pattern<Space::global_store, Word>("STG", p, what, true);
      pattern<Space::async_copy, Word>("LDGSTS", p, what, false);
      chain<Space::l1_load, Word>("LDG_l1", p, what);
      chain<Space::l2_load, Word>("LDG_l2", p, what);
    }
    for (unsigned sectors : {2, 8, 16, 32}) {
      const Pattern p{sectors, 32};
      const std::string what = named("adjacent_sectors", sectors);
      pattern<Space::l1_load, Word>("LDG_l1", p, what, false);
      pattern<Space::l2_load, Word>("LDG_l2", p, what, true);
      pattern<Space::global_store, Word>("STG", p, what, true);
    }
    pattern<Space::l1_load, Word>("LDG_l1", {32, 0}, "broadcast", false);
    chain<Space::async_copy, Word>("LDGSTS", {1, 0}, "consecutive");
  }
};

// U loads issued together by each warp: time until all have returned.
template <class Word, int U>
__global__ void burst(const char* global, unsigned groups, unsigned step, Span* spans, unsigned* sink) {
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  const char* from = global + warp * U * 4224 + (lane % groups) * step + (lane / groups) * sizeof(Word);
  __shared__ unsigned zero;
  zero = 0;
  const unsigned zero_at = static_cast<unsigned>(__cvta_generic_to_shared(&zero));
  unsigned total = 0;
  for (int pass = 0; pass < 3; ++pass) {
    __syncthreads();
    unsigned v[U] = {}, sum = 0;
    const long long start = now();
#pragma unroll
    for (int u = 0; u < U; ++u) access<Word>(Space::l2_load, 0, from + u * 4224, v[u]);
    // No load moves behind the barrier, and no use before the load of `sum`, so all loads are issued before a use.
    __syncthreads();
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(sum) : "r"(zero_at) : "memory");
#pragma unroll
    for (int u = 0; u < U; ++u) sum = sum * 3 + v[u];
    const long long end = stamp(sum);
    if (lane == 0) spans[warp] = {start, end};
    total ^= sum;
  }
  if (total == 1) *sink = total;
}

template <class Word, int U>
void bursts(Bench& b) {
  for (unsigned groups : {1, 4, 32})
    for (int warps : {1, 4, 8, 16}) {
      burst<Word, U><<<1, warps * 32>>>(b.global.get(), groups, 128, b.spans.get(), b.sink.get());
      check(cudaGetLastError());
      row("burst", "LDG_l2",
          named("lines", groups) + " " + named("loads", U) + " " + named("width", sizeof(Word) * 8) + " " +
              named("warps", warps),
          double(cycles_of(b.spans.read(warps))), "cycles");
    }
}

// Stores of one SM to a small and to a large region: whether stores to the same line merge.
void store_windows(Bench& b) {
  for (unsigned window : {16u << 10, 128u << 10, 512u << 10})
    for (unsigned lines : {1, 8, 32}) {
      throughput<Space::global_store, unsigned, 4>
          <<<1, 1024, 40 << 10>>>(b.global.get(), {lines, 128}, 64, window, b.spans.get(), b.sink.get());
      row("memory", "STG_window", named("lines", lines) + " " + named("window", window),
          double(cycles_of(b.spans.read(32))) / (64 * 4 * 32), "cycles/request");
    }
}

// Shared loads and global loads in turn.
__global__ void __launch_bounds__(1024) mixed(const char* global, int rounds, Span* spans, unsigned* sink) {
  extern __shared__ unsigned words[];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(words)) + lane * 4;
  const char* from = global + warp % 8 * 16384 + lane * 4;
  unsigned sum = 0;
  long long start = 0;
#pragma unroll 1
  for (int k = -2; k < rounds; ++k) {
    if (k == 0) {
      __syncthreads();
      start = now();
    }
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      access<unsigned>(Space::shared_load, at, from, sum);
      access<unsigned>(Space::l1_load, at, from + u * 4096, sum);
    }
  }
  if (sum == 1) *sink = sum;
  if (lane == 0) spans[warp] = {start, now()};
}

// Atomics on shared memory: same address, distinct addresses, n lanes per bank.
template <bool Returns>
__global__ void __launch_bounds__(1024) shared_atomics(unsigned step, int rounds, Span* spans, unsigned* sink) {
  extern __shared__ unsigned words[];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(words)) + lane * step;
  unsigned sum = 0;
  __syncthreads();
  const long long start = now();
#pragma unroll 1
  for (int k = 0; k < rounds; ++k)
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      unsigned v = 0;
      if (Returns)
        asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(v) : "r"(at), "r"(lane) : "memory");
      else
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(lane) : "memory");
      sum ^= v;
    }
  if (sum == 1) *sink = sum;
  __threadfence_block();
  if (lane == 0) spans[warp] = {start, now()};
}

void others(Bench& b) {
  for (int warps : {4, 8, 16, 32}) {
    mixed<<<1, warps * 32, 40 << 10>>>(b.global.get(), 32, b.spans.get(), b.sink.get());
    row("memory", "LDS+LDG_l1", named("warps", warps), double(cycles_of(b.spans.read(warps))) / (32 * 4 * warps),
        "cycles/pair");
  }
  for (int warps : {1, 4, 8, 32})
    for (unsigned step : {0, 4, 8, 16, 32, 128}) {
      const std::string what = named("step", step) + " " + named("warps", warps);
      shared_atomics<true><<<1, warps * 32, 40 << 10>>>(step, 32, b.spans.get(), b.sink.get());
      row("memory", "ATOMS", what, double(cycles_of(b.spans.read(warps))) / (32 * 4 * warps), "cycles/request");
      shared_atomics<false><<<1, warps * 32, 40 << 10>>>(step, 32, b.spans.get(), b.sink.get());
      row("memory", "ATOMS_no_return", what, double(cycles_of(b.spans.read(warps))) / (32 * 4 * warps),
          "cycles/request");
    }
}

}  // namespace

int main() {
  Bench bench;
  bench.conflicts<unsigned>();
  bench.conflicts<uint2>();
  bench.conflicts<uint4>();
  std::fflush(stdout);
  bench.lines<unsigned>();
  bench.lines<uint2>();
  bench.lines<uint4>();
  std::fflush(stdout);
  bursts<unsigned, 1>(bench);
  bursts<unsigned, 2>(bench);
  bursts<unsigned, 4>(bench);
  bursts<unsigned, 8>(bench);
  bursts<unsigned, 12>(bench);
  bursts<unsigned, 16>(bench);
  bursts<unsigned, 24>(bench);
  bursts<unsigned, 32>(bench);
  bursts<unsigned, 48>(bench);
  bursts<uint4, 1>(bench);
  bursts<uint4, 2>(bench);
  bursts<uint4, 4>(bench);
  store_windows(bench);
  others(bench);
}

// Accesses of memory by the pattern of their addresses: tags against banks of L1, local memory, stores that merge,
// instructions whose predicate is false, atomics on a few bins.
#include <cstring>

#include "bench.h"

namespace {

struct Offsets {
  unsigned of_lane[32];
};

enum class Op { load, load_l2, store };

template <Op O, class Word>
__device__ void access(const char* at, unsigned& sum) {
  if constexpr (O == Op::store) {
    if (sizeof(Word) == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(sum));
    if (sizeof(Word) == 8) asm volatile("st.global.v2.u32 [%0], {%1,%1};" ::"l"(at), "r"(sum));
    if (sizeof(Word) == 16) asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(at), "r"(sum));
  } else {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if constexpr (O == Op::load) {
      if (sizeof(Word) == 4) asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(at));
      if (sizeof(Word) == 8) asm volatile("ld.global.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(at));
      if (sizeof(Word) == 16)
        asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(at));
    } else {
      if (sizeof(Word) == 4) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(at));
      if (sizeof(Word) == 8) asm volatile("ld.global.cg.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "l"(at));
      if (sizeof(Word) == 16)
        asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(at));
    }
    sum ^= a ^ b ^ c ^ d;
  }
}

/// Every warp accesses four regions in turn. Warps share regions of 8 KB: `regions` groups of four.
template <Op O, class Word>
__global__ void __launch_bounds__(1024)
    throughput(char* global, Offsets offsets, int rounds, int regions, Span* spans, unsigned* sink) {
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  char* const from = global + (std::size_t(blockIdx.x) * regions + warp % regions) * 32768 + offsets.of_lane[lane];
  unsigned sum = 0;
  long long start = 0;
#pragma unroll 1
  for (int k = -2; k < rounds; ++k) {
    if (k == 0) {
      __syncthreads();
      start = now();
    }
#pragma unroll
    for (int u = 0; u < 4; ++u) access<O, Word>(from + u * 8192, sum);
  }
  if (sum == 1) *sink = sum;
  __threadfence_block();
  if (lane == 0 && blockIdx.x == 0) spans[warp] = {start, now()};
}

/// A chain of loads by one warp: each place holds its own offset.
__global__ void chain(char* global, Offsets offsets, Span* spans, unsigned* sink) {
  const unsigned own = offsets.of_lane[threadIdx.x];
  *reinterpret_cast<volatile unsigned*>(global + own) = own;
  __threadfence();
  __syncthreads();
  unsigned next = own;
  long long start = 0;
#pragma unroll 1
  for (int k = -8; k < 64; ++k) {
    if (k == 0) start = stamp(next);
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(next) : "l"(global + next));
  }
  if (next == 1) *sink = next;
  if (threadIdx.x == 0) spans[0] = {start, stamp(next)};
}

struct Bench {
  DeviceArray<char> global{std::size_t(sm_count()) * 16 * 32768};
  DeviceArray<Span> spans{2048};
  DeviceArray<unsigned> sink{1};

  template <Op O, class Word>
  void pattern(const char* name, const Offsets& offsets, const std::string& what, int sms = 1) {
    for (int warps : {1, 8, 32}) {
      if (sms > 1 && warps < 32) continue;
      const int rounds = 32, regions = sms > 1 ? 16 : 4;
      throughput<O, Word><<<sms, warps * 32>>>(global.get(), offsets, rounds, regions, spans.get(), sink.get());
      check(cudaGetLastError());
      row("pattern", name,
          what + " " + named("width", sizeof(Word) * 8) + " " + named("warps", warps) + " " + named("sms", sms),
          double(cycles_of(spans.read(warps))) / (rounds * 4 * warps), "cycles/request");
    }
  }
};

/// Lane i accesses line i % lines, in a bank of its own.
template <class Word>
Offsets spread(unsigned lines) {
  Offsets offsets{};
  for (unsigned i = 0; i < 32; ++i) offsets.of_lane[i] = i % lines * 128 + i * sizeof(Word) % 128;
  return offsets;
}

/// Lane i accesses line i % lines; the lanes of a line lie next to each other.
template <class Word>
Offsets packed(unsigned lines) {
  Offsets offsets{};
  for (unsigned i = 0; i < 32; ++i) offsets.of_lane[i] = i % lines * 128 + i / lines * sizeof(Word);
  return offsets;
}

Offsets scattered(unsigned lines, unsigned seed, std::string& what) {
  Offsets offsets{};
  unsigned x = seed * 2654435761u + 1;
  bool touched[64] = {};
  int words[32] = {}, most = 0, count = 0;
  unsigned seen[32] = {};
  for (unsigned i = 0; i < 32; ++i) {
    x = x * 1664525u + 1013904223u;
    const unsigned word = (x >> 8) % (lines * 32);
    offsets.of_lane[i] = word * 4;
    bool repeated = false;
    for (unsigned j = 0; j < i; ++j) repeated = repeated || seen[j] == word;
    seen[i] = word;
    if (!repeated) most = std::max(most, ++words[word % 32]);
    if (!touched[word / 32]) ++count;
    touched[word / 32] = true;
  }
  what = named("lines", count) + " " + named("ways", most) + " " + named("seed", seed);
  return offsets;
}

template <class Word>
void tags_and_banks(Bench& b) {
  for (unsigned lines : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
    b.pattern<Op::load, Word>("LDG_spread", spread<Word>(lines), named("lines", lines));
    b.pattern<Op::load_l2, Word>("LDG_cg_spread", spread<Word>(lines), named("lines", lines));
    b.pattern<Op::store, Word>("STG_spread", spread<Word>(lines), named("lines", lines));
    b.pattern<Op::load, Word>("LDG_packed", packed<Word>(lines), named("lines", lines));
    b.pattern<Op::load_l2, Word>("LDG_cg_packed", packed<Word>(lines), named("lines", lines));
  }
}

void chains(Bench& b) {
  for (unsigned lines : {1, 2, 4, 8, 16, 32}) {
    chain<<<1, 32>>>(b.global.get(), spread<unsigned>(lines), b.spans.get(), b.sink.get());
    row("pattern_latency", "LDG_spread", named("lines", lines), double(cycles_of(b.spans.read(1))) / 64, "cycles");
    chain<<<1, 32>>>(b.global.get(), packed<unsigned>(lines), b.spans.get(), b.sink.get());
    row("pattern_latency", "LDG_packed", named("lines", lines), double(cycles_of(b.spans.read(1))) / 64, "cycles");
  }
}

void random_patterns(Bench& b) {
  for (unsigned lines : {2, 4, 8, 16, 32})
    for (unsigned seed = 1; seed <= 4; ++seed) {
      std::string what;
      const Offsets offsets = scattered(lines, seed, what);
      b.pattern<Op::load, unsigned>("LDG_random", offsets, what);
      b.pattern<Op::load_l2, unsigned>("LDG_cg_random", offsets, what);
    }
}

/// Stores of full lines: `lines` lines in turn, the same for all warps (together) or own ones of each warp.
__global__ void __launch_bounds__(1024) merging(char* global, int lines, bool together, int rounds, Span* spans) {
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  char* const base = global + (together ? 0 : std::size_t(warp) * lines * 128) + lane * 4;
  unsigned line = 0;
  __syncthreads();
  const long long start = now();
#pragma unroll 4
  for (int k = 0; k < rounds; ++k) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(base + line * 128), "r"(k));
    line = line + 1 == lines ? 0 : line + 1;
  }
  __threadfence_block();
  if (lane == 0) spans[warp] = {start, now()};
}

/// Stores as those of matrix fragments: eight rows of four lanes, which write `bytes` of 8 each; `parts` stores follow
/// one another and fill the 8 bytes.
template <int Bytes>
__global__ void __launch_bounds__(1024) fragments(char* global, int stride, int rounds, Span* spans) {
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  char* at = global + std::size_t(warp) * 131072 + lane / 4 * stride + lane % 4 * 8;
  __syncthreads();
  const long long start = now();
#pragma unroll 4
  for (int k = 0; k < rounds; ++k) {
    if (Bytes == 8) {
      asm volatile("st.global.v2.u32 [%0], {%1,%1};" ::"l"(at), "r"(k));
    } else {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(k));
      asm volatile("st.global.u32 [%0+4], %1;" ::"l"(at), "r"(k));
    }
    at += 8 * stride;
  }
  __threadfence_block();
  if (lane == 0) spans[warp] = {start, now()};
}

void stores(Bench& b) {
  const int rounds = 128;
  for (bool together : {true, false})
    for (int lines : {1, 2, 4, 8, 16, 32, 64, 128})
      for (int warps : {1, 4, 8, 32}) {
        merging<<<1, warps * 32>>>(b.global.get(), lines, together, rounds, b.spans.get());
        check(cudaGetLastError());
        row("pattern", together ? "STG_together" : "STG_own", named("lines", lines) + " " + named("warps", warps),
            double(cycles_of(b.spans.read(warps))) / (rounds * warps), "cycles/request");
      }
  for (int stride : {32, 64, 128})
    for (int warps : {1, 4, 16, 32}) {
      const std::string what = named("stride", stride) + " " + named("warps", warps);
      fragments<4><<<1, warps * 32>>>(b.global.get(), stride, 64, b.spans.get());
      row("pattern", "STG_fragment_halves", what, double(cycles_of(b.spans.read(warps))) / (64 * warps), "cycles/pair");
      fragments<8><<<1, warps * 32>>>(b.global.get(), stride, 64, b.spans.get());
      row("pattern", "STG_fragment_whole", what, double(cycles_of(b.spans.read(warps))) / (64 * warps),
          "cycles/request");
    }
}

/// Local memory: each lane's index is its own.
template <bool Writes>
__global__ void __launch_bounds__(1024) local(Offsets offsets, int rounds, Span* spans, unsigned* sink) {
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  volatile unsigned words[32];
  const unsigned at = offsets.of_lane[lane];
  for (int i = 0; i < 32; ++i) words[(i + at) & 31] = i;
  unsigned sum = 0;
  __syncthreads();
  const long long start = now();
#pragma unroll 1
  for (int k = 0; k < rounds; ++k) {
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      if (Writes)
        words[(at + u * 8) & 31] = k;
      else
        sum ^= words[(at + u * 8) & 31];
    }
  }
  if (sum == 0xffffffff) *sink = sum;
  __threadfence_block();
  const long long end = now();
  if (lane == 0) spans[warp] = {start, end};
  if (words[at & 31] == 0xffffffff) *sink = sum;
}

void local_memory(Bench& b) {
  for (const char* name : {"same", "two", "four", "lane", "random"}) {
    Offsets offsets{};
    for (unsigned i = 0; i < 32; ++i) {
      if (std::strcmp(name, "two") == 0) offsets.of_lane[i] = i % 2;
      if (std::strcmp(name, "four") == 0) offsets.of_lane[i] = i % 4;
      if (std::strcmp(name, "lane") == 0) offsets.of_lane[i] = i;
      if (std::strcmp(name, "random") == 0) offsets.of_lane[i] = (i * 2654435761u >> 13) % 32;
    }
    for (int warps : {1, 4, 8, 16}) {
      const std::string what = std::string("index=") + name + " " + named("warps", warps);
      local<false><<<1, warps * 32>>>(offsets, 32, b.spans.get(), b.sink.get());
      row("pattern", "LDL", what, double(cycles_of(b.spans.read(warps))) / (32 * 4 * warps), "cycles/request");
      local<true><<<1, warps * 32>>>(offsets, 32, b.spans.get(), b.sink.get());
      row("pattern", "STL", what, double(cycles_of(b.spans.read(warps))) / (32 * 4 * warps), "cycles/request");
    }
  }
}

/// Atomics of all lanes on pseudo-random bins; `lanes` lanes of each warp take part.
template <bool Returns>
__global__ void __launch_bounds__(1024)
    bins(unsigned* data, unsigned mask, int lanes, int rounds, Span* spans, unsigned* sink) {
  const unsigned lane = threadIdx.x & 31;
  unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u, sum = 0;
  const long long start = now();
#pragma unroll 4
  for (int k = 0; k < rounds; ++k) {
    x = x * 1664525u + 1013904223u;
    if (lane >= lanes) continue;
    unsigned* const at = data + (x >> 9 & mask);
    unsigned old = 0;
    if (Returns)
      asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(at) : "memory");
    else
      asm volatile("red.global.add.u32 [%0], 1;" ::"l"(at) : "memory");
    sum += old;
  }
  if (sum == 1) *sink = sum;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x] = {start, now()};
}

template <bool Returns>
void histogram(Bench& b) {
  unsigned* const data = reinterpret_cast<unsigned*>(b.global.get());
  for (int lanes : {32, 1})
    for (unsigned count : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 4096u, 65536u, 1u << 20})
      for (int sms : {1, 4, 33, sm_count()}) {
        const int rounds = 16, warps = 32;
        double best = 1e30;
        for (int run = 0; run < 2; ++run) {
          bins<Returns><<<sms, warps * 32>>>(data, count - 1, lanes, rounds, b.spans.get(), b.sink.get());
          check(cudaGetLastError());
          double sum = 0;
          for (const Span& span : b.spans.read(sms)) sum += double(span.end - span.start);
          best = std::min(best, sum / sms);
        }
        row("bins", Returns ? "ATOM" : "RED",
            named("bins", count) + " " + named("lanes", lanes) + " " + named("sms", sms), best / (rounds * warps),
            "cycles/request of an SM");
      }
}

}  // namespace

int main() {
  Bench bench;
  tags_and_banks<unsigned>(bench);
  tags_and_banks<uint2>(bench);
  tags_and_banks<uint4>(bench);
  chains(bench);
  random_patterns(bench);
  std::fflush(stdout);
  stores(bench);
  local_memory(bench);
  std::fflush(stdout);
  histogram<false>(bench);
  histogram<true>(bench);
}

// Stores into L2 beside reads from memory or L2: whether data that come from memory and stores that fill sectors in
// part or as a whole wait for one another. Then a chain of dependent loads from memory: how many of them are late.
#include <random>

#include "bench.h"

namespace {

/// The first half of the warps stores the words of `mask` in lines of a buffer that stays in L2, the others read lines.
/// Both numbers of lines are powers of two.
__global__ void __launch_bounds__(1024) mix(unsigned* to, std::size_t store_lines, unsigned mask, int stores,
                                            const unsigned* from, std::size_t read_lines, int reads, unsigned* sink) {
  const unsigned lane = threadIdx.x & 31, half = blockDim.x / 64, warp = threadIdx.x / 32;
  const std::size_t warps = std::size_t(gridDim.x) * half;
  if (warp < half) {
    std::size_t line = blockIdx.x * half + warp;
#pragma unroll 4
    for (int k = 0; k < stores; ++k) {
      if (mask >> lane & 1) to[(line & (store_lines - 1)) * 32 + lane] = lane + k;
      line += warps;
    }
    return;
  }
  std::size_t line = blockIdx.x * half + warp - half;
  unsigned sum = 0;
#pragma unroll 8
  for (int k = 0; k < reads; ++k) {
    unsigned v;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(from + (line & (read_lines - 1)) * 32 + lane));
    sum ^= v;
    line += warps;
  }
  if (sum == 1) *sink = sum;
}

double cycles(const auto& launch) {
  cudaEvent_t before, after;
  check(cudaEventCreate(&before));
  check(cudaEventCreate(&after));
  int clock = 0;
  check(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
  float best = 1e30f;
  for (int run = 0; run < 5; ++run) {
    check(cudaEventRecord(before));
    launch();
    check(cudaEventRecord(after));
    check(cudaEventSynchronize(after));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, before, after));
    best = std::min(best, ms);
  }
  check(cudaGetLastError());
  return double(best) * clock;
}

void mixes() {
  const std::size_t store_lines = 8 << 13, large = std::size_t(2) << 23, small = 8 << 13;  // 8 MB, 2 GB, 8 MB
  DeviceArray<unsigned> to{store_lines * 32}, from{large * 32}, sink{1};
  for (unsigned mask : {0xffffffffu, 0x0f0f0f0fu, 0x33333333u, 0x11111111u, 0x000000ffu, 0x0000000fu})
    for (bool memory : {true, false})
      for (int stores : {0, 512, 1024, 2048, 4096})
        for (int reads : {0, 2048}) {
          if (stores + reads == 0) continue;
          const double time = cycles([&] {
            mix<<<sm_count(), 1024>>>(to.get(), store_lines, mask, stores, from.get(), memory ? large : small, reads,
                               sink.get());
          });
          char words[16];
          std::snprintf(words, sizeof words, "0x%08x", mask);
          row("mixed", "time",
              std::string("words=") + words + " from=" + (memory ? "memory" : "l2") + " " + named("stores", stores) +
                  " " + named("reads", reads),
              time, "cycles");
        }
}

/// Follows a chain through memory and notes the cycles of each step.
__global__ void chase(const unsigned* next, int steps, unsigned short* taken, unsigned* sink) {
  unsigned at = 0;
  for (int k = 0; k < steps; ++k) {
    const long long start = now();
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(next + std::size_t(at) * 1024));
    taken[k] = static_cast<unsigned short>(stamp(at) - start);
  }
  *sink = at;
}

void chain() {
  constexpr int pages = 1 << 18, steps = 1 << 15;  // a line in each 4 KB of 1 GB
  std::vector<unsigned> order(pages), next(std::size_t(pages) * 1024);
  for (int i = 0; i < pages; ++i) order[i] = i;
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
  for (int i = 0; i < pages; ++i) next[std::size_t(order[i]) * 1024] = order[(i + 1) % pages];
  DeviceArray<unsigned> data{next.size()}, sink{1};
  DeviceArray<unsigned short> taken{steps};
  data.set(next);
  L2Sweeper sweeper;
  for (int run = 0; run < 3; ++run) {
    sweeper.sweep();
    chase<<<1, 1>>>(data.get(), steps, taken.get(), sink.get());
    std::vector<unsigned short> sorted = taken.read(steps);
    std::sort(sorted.begin(), sorted.end());
    const std::string what = named("run", run) + " " + named("steps", steps);
    for (int percent : {1, 10, 25, 50, 75, 90, 99, 100})
      row("chain", "percentile_" + std::to_string(percent), what,
          sorted[std::min<std::size_t>(steps - 1, std::size_t(steps) * percent / 100)], "cycles");
    for (int limit = 500; limit <= 1300; limit += 50) {
      const auto later = sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), limit);
      row("chain", "later", what + " " + named("cycles", limit), double(later) / steps, "of steps");
    }
  }
}

}  // namespace

int main() {
  mixes();
  chain();
}

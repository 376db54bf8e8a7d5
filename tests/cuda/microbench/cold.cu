// The first accesses of a kernel to memory that no cache holds, by the distance of the warps' addresses: pages that
// have not been translated yet cost more. Runs by itself and under Nsight Compute, which empties the caches.
#include <cstring>

#include "bench.h"

namespace {

struct Times {
  unsigned first, second, third, late;
};

/// Each warp loads a line, another one 64 KB further, and a third one 256 B further; then `late` once more 2 MB
/// further.
__global__ void touch(const char* data, unsigned long long stride, int loads, Times* times, unsigned* sink) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  const char* const at = data + warp * stride + lane * 4;
  unsigned a = 0, b = 0, c = 0, d = 0;
  const long long t0 = now();
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(at));
  const long long t1 = stamp(a);
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(b) : "l"(at + 65536 + a));
  const long long t2 = stamp(b);
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(c) : "l"(at + 65536 + 256 + b));
  const long long t3 = stamp(c);
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(d) : "l"(at + (2 << 20) + c));
  const long long t4 = stamp(d);
  if (a + b + c + d == 1) *sink = a;
  if (lane == 0) times[warp] = {unsigned(t1 - t0), unsigned(t2 - t1), unsigned(t3 - t2), unsigned(t4 - t3)};
}

void print(const char* state, int warps, unsigned long long stride, const std::vector<Times>& times) {
  const auto values = [&](const char* name, unsigned Times::*of) {
    std::vector<unsigned> sorted;
    double sum = 0;
    for (const Times& t : times) sorted.push_back(t.*of), sum += t.*of;
    std::sort(sorted.begin(), sorted.end());
    const std::string what = std::string("caches=") + state + " " + named("warps", warps) + " " +
                             named("stride", static_cast<long long>(stride));
    row("cold", name,
        what + " median=" + std::to_string(sorted[sorted.size() / 2]) + " least=" + std::to_string(sorted[0]) +
            " most=" + std::to_string(sorted.back()),
        sum / double(times.size()), "cycles");
  };
  values("first", &Times::first);
  values("64KB_further", &Times::second);
  values("256B_further", &Times::third);
  values("2MB_further", &Times::late);
}

}  // namespace

int main(int count, char** arguments) {
  const bool profiled = count > 1 && std::strcmp(arguments[1], "--profiled") == 0;
  DeviceArray<char> data{(std::size_t(264) << 23) + (4 << 20)};
  DeviceArray<Times> times{8 * std::size_t(sm_count())};
  DeviceArray<unsigned> sink{1};
  L2Sweeper sweeper;
  const int sms = sm_count();
  for (int run = 0; run < 2; ++run)
    for (int warps : {1, sms, 2 * sms, 8 * sms})
      for (unsigned long long stride : {0ull, 128ull, 4096ull, 65536ull, 2ull << 20, 8ull << 20}) {
        if (warps * stride > std::size_t(264) << 23) continue;
        for (const char* state : {"swept", "warm"}) {
          if (profiled && *state == 'w') continue;
          if (*state == 's' && !profiled) sweeper.sweep();
          touch<<<std::min(warps, sms), std::max(1, warps / sms) * 32>>>(data.get(), stride, 1, times.get(),
                                                                         sink.get());
          check(cudaGetLastError());
          const auto read = times.read(warps);
          if (run == 1) print(profiled ? "flushed" : state, warps, stride, read);
        }
      }
}

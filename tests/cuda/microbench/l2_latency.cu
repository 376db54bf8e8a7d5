// Latency of single loads: L2 by SM and line, HBM, first touch of a page.
#include "bench.h"

namespace {

constexpr int forced_shared = 120 * 1024;  // one block per SM

__device__ unsigned timed_load(const char* at, unsigned* cycles) {
  unsigned v;
  const long long start = now();
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
  *cycles = static_cast<unsigned>(stamp(v) - start);
  return v;
}

// One thread of one SM times a load of each line; the shortest of `runs` passes.
__global__ void probe(const char* x, std::size_t step, int lines, int runs, unsigned sm, unsigned* result) {
  extern __shared__ unsigned seen[];
  if (sm_id() != sm) {  // stays until every SM has its block
    const long long start = now();
    while (now() - start < 4000) {
    }
    return;
  }
  if (threadIdx.x) return;
  for (int run = 0; run < runs; ++run)
    for (int i = 0; i < lines; ++i) {
      unsigned cycles;
      timed_load(x + i * step, &cycles);
      seen[i] = run ? min(seen[i], cycles) : cycles;
    }
  for (int i = 0; i < lines; ++i) result[i] = seen[i];
}

struct Bench {
  DeviceArray<char> x{std::size_t(4) << 30};
  DeviceArray<unsigned> result{8192};
  L2Sweeper l2;
  int sms = 0;

  std::vector<unsigned> latencies(std::size_t offset, std::size_t step, int lines, int runs, unsigned sm) {
    check(cudaFuncSetAttribute(probe, cudaFuncAttributeMaxDynamicSharedMemorySize, forced_shared));
    probe<<<sms, 32, forced_shared>>>(x.get() + offset, step, lines, runs, sm, result.get());
    check(cudaGetLastError());
    return result.read(lines);
  }

  void matrix_row(const char* name, int sm, std::size_t offset, std::size_t step, int lines) {
    std::printf("l2_latency,%s,sm=%d step=%zu,", name, sm, step);
    const std::vector<unsigned> cycles = latencies(offset, step, lines, 4, sm);
    for (int i = 0; i < lines; ++i) std::printf("%s%u", i ? " " : "", cycles[i]);
    std::printf(",cycles\n");
  }
  void cold_row(const char* name, int sm, std::size_t offset, std::size_t step, int lines, bool swept) {
    if (swept) l2.sweep();
    std::printf("hbm_latency,%s,sm=%d step=%zu offset=%zu,", name, sm, step, offset);
    const std::vector<unsigned> cycles = latencies(offset, step, lines, 1, sm);
    for (int i = 0; i < lines; ++i) std::printf("%s%u", i ? " " : "", cycles[i]);
    std::printf(",cycles\n");
  }
};

}  // namespace

int main() {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  Bench bench;
  bench.sms = properties.multiProcessorCount;
  check(cudaDeviceSynchronize());
  // 2 MB pages: first touch, then again after the L2 is swept, then neighbouring lines.
  bench.cold_row("first_touch_2MB_pages", 0, std::size_t(1) << 30, 2 << 20, 512, true);
  bench.cold_row("second_touch_2MB_pages", 0, (std::size_t(1) << 30), 2 << 20, 512, false);
  bench.cold_row("third_touch_swept", 0, (std::size_t(1) << 30), 2 << 20, 512, true);
  for (int sm = 0; sm < bench.sms; ++sm) bench.matrix_row("lines", sm, 0, 128, 512);
  for (int sm = 0; sm < bench.sms; ++sm) bench.matrix_row("lines", sm, 64 << 20, 4096, 512);
  for (int sm : {0, 16, 64, 131}) bench.matrix_row("many_lines", sm, 128 << 20, 128, 8192);
  for (int sm : {0, 131}) bench.cold_row("lines", sm, 256 << 20, 128, 1024, true);
  bench.cold_row("step_256", 0, 257 << 20, 256, 1024, true);
  bench.cold_row("step_4K", 0, 260 << 20, 4096, 1024, true);
  bench.cold_row("step_64K", 0, 300 << 20, 65536, 1024, true);
  bench.cold_row("step_1M", 0, std::size_t(2) << 30, 1 << 20, 1024, true);
}

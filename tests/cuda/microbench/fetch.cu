// Instruction fetch: straight-line code of different sizes, first and later passes; the first instructions of a kernel.
#include "bench.h"

namespace {

template <int N>
__global__ void __launch_bounds__(1024) straight(float x, Span* spans, int passes, float* sink) {
  float r[8] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    __syncthreads();
    const long long start = now();
#pragma unroll
    for (int i = 0; i < N; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(r[i & 7]) : "f"(x));
    if ((threadIdx.x & 31) == 0 && blockIdx.x == 0) spans[pass * 32 + threadIdx.x / 32] = {start, now()};
  }
  float sum = 0;
  for (float v : r) sum += v;
  if (sum == 0.123f) *sink = sum;
}

struct Bench {
  DeviceArray<Span> spans{32 * 8};
  DeviceArray<float> sink{1};
  L2Sweeper l2;

  template <int N>
  void size() {
    const int passes = 4;
    for (int blocks : {1, sm_count()})
      for (int warps : {1, 4, 16})
        for (const char* before : {"same_kernel", "same_kernel_again", "swept"}) {
          if (std::string(before) == "swept") l2.sweep();
          straight<N><<<blocks, warps * 32>>>(0.5f, spans.get(), passes, sink.get());
          check(cudaGetLastError());
          const std::vector<Span> all = spans.read(32 * passes);
          for (int pass = 0; pass < passes; ++pass) {
            const std::vector<Span> warp_spans(all.begin() + pass * 32, all.begin() + pass * 32 + warps);
            row("fetch", "straight_line",
                named("kb", N * 16 / 1024) + " " + named("warps", warps) + " " + named("sms", blocks) + " " +
                    named("pass", pass) + " after=" + before,
                double(cycles_of(warp_spans)) / N, "cycles/instruction");
          }
        }
    std::fflush(stdout);
  }
};

__constant__ unsigned table[64];

// Clock at entry, after the first use of a parameter, of a constant, and of each again.
__global__ void entry(const unsigned* data, unsigned* out, int n) {
  unsigned t[6];
  t[0] = static_cast<unsigned>(now());
  t[1] = static_cast<unsigned>(stamp(n));
  t[2] = static_cast<unsigned>(stamp(table[0]));
  t[3] = static_cast<unsigned>(stamp(__ldcg(data + threadIdx.x)));
  t[4] = static_cast<unsigned>(stamp(__ldcg(data + threadIdx.x + 1024)));
  t[5] = static_cast<unsigned>(stamp(table[32]));
  if (threadIdx.x == 0)
    for (int i = 0; i < 6; ++i) out[blockIdx.x * 8 + i] = t[i];
}

void entries(Bench& b) {
  const int sms = sm_count();
  DeviceArray<unsigned> data(4096), out(std::size_t(sms) * 8);
  for (const char* before : {"first", "again", "swept", "again"}) {
    if (std::string(before) == "swept") b.l2.sweep();
    entry<<<sms, 32>>>(data.get(), out.get(), 1);
    check(cudaGetLastError());
    const std::vector<unsigned> t = out.read(std::size_t(sms) * 8);
    const char* steps[] = {"parameter", "constant", "load_cold", "load_next", "constant_next"};
    for (int i = 0; i < 5; ++i)
      for (int block : {0, 50, sms - 1})
        row("entry", steps[i], std::string("after=") + before + " " + named("block", block),
            t[block * 8 + i + 1] - t[block * 8 + i], "cycles");
  }
}

}  // namespace

int main() {
  Bench bench;
  entries(bench);
  bench.size<64>();
  bench.size<256>();
  bench.size<1024>();
  bench.size<1536>();
  bench.size<1792>();
  bench.size<2048>();
  bench.size<2304>();
  bench.size<2560>();
  bench.size<3072>();
  bench.size<4096>();
  bench.size<6144>();
  bench.size<7168>();
  bench.size<8192>();
  bench.size<9216>();
  bench.size<10240>();
  bench.size<12288>();
  bench.size<16384>();
  bench.size<32768>();
}

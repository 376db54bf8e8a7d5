// Writes to memory by the part of each line that they fill, and asynchronous copies from L2, which go past L1.
#include "bench.h"

namespace {

/// Each warp writes the words of `mask` in every line of the buffer.
__global__ void __launch_bounds__(512) fill(unsigned* data, unsigned mask, std::size_t lines) {
  const unsigned lane = threadIdx.x & 31;
  const std::size_t warps = std::size_t(gridDim.x) * blockDim.x / 32;
  for (std::size_t line = (std::size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32; line < lines; line += warps)
    if (mask >> lane & 1) data[line * 32 + lane] = lane;
}

/// The same, and reads another buffer.
__global__ void __launch_bounds__(512) copy(unsigned* data, const unsigned* from, unsigned mask, std::size_t lines) {
  const unsigned lane = threadIdx.x & 31;
  const std::size_t warps = std::size_t(gridDim.x) * blockDim.x / 32;
#pragma unroll 4
  for (std::size_t line = (std::size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32; line < lines; line += warps) {
    const unsigned v = from[line * 32 + lane];
    if (mask >> lane & 1) data[line * 32 + lane] = v;
  }
}

void fills() {
  const std::size_t lines = std::size_t(4) << 20;  // 512 MB
  DeviceArray<unsigned> data{lines * 32}, from{lines * 32};
  cudaEvent_t before, after;
  check(cudaEventCreate(&before));
  check(cudaEventCreate(&after));
  int clock = 0;
  check(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
  for (unsigned mask : {0xffffffffu, 0x000000ffu, 0x0000ffffu, 0x00ff00ffu, 0x00ffffffu, 0x0000000fu, 0x00000fffu,
                        0x000fffffu, 0x0fffffffu, 0x0f0f0f0fu, 0x000f000fu, 0x11111111u, 0x00000001u})
    for (bool reads : {false, true}) {
      float best = 1e30f;
      for (int run = 0; run < 3; ++run) {
        check(cudaEventRecord(before));
        if (reads)
          copy<<<528, 512>>>(data.get(), from.get(), mask, lines);
        else
          fill<<<528, 512>>>(data.get(), mask, lines);
        check(cudaEventRecord(after));
        check(cudaEventSynchronize(after));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, before, after));
        best = std::min(best, ms);
      }
      char words[16];
      std::snprintf(words, sizeof words, "0x%08x", mask);
      row("writes", reads ? "copy" : "fill", std::string("words=") + words, best * clock / double(lines) * 1000,
          "cycles/1000 lines");
    }
}

/// Copies of 512 B per warp from a window of L2 that no two copies share; then loads from shared memory.
template <int Loads>
__global__ void __launch_bounds__(1024)
    stream(const char* data, unsigned window, int stride, int rounds, Span* spans, unsigned* sms, unsigned* sink) {
  extern __shared__ uint4 area[];
  __shared__ unsigned words[1024];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  words[threadIdx.x] = 0;
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(words + threadIdx.x));
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(area + threadIdx.x));
  // 512 consecutive bytes, or eight rows of 64 B, 2 KB apart.
  const unsigned lanes = stride == 0 ? lane * 16 : lane / 4 * stride + lane % 4 * 16;
  unsigned sum = 0;
  __syncthreads();
  if (sm_id() != 5) return;
  const long long start = now();
#pragma unroll 2
  for (int k = 0; k < rounds; ++k) {
    const unsigned piece = k * warps + warp;
    const unsigned at = stride == 0 ? piece * 512 : piece / (stride / 64) * (stride * 8) + piece % (stride / 64) * 64;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(data + ((at + lanes) & (window - 1))));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 7;" ::: "memory");
    unsigned r[16] = {};
#pragma unroll
    for (int i = 0; i < Loads; ++i) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(r[i]) : "r"(own));
#pragma unroll
    for (int i = 0; i < Loads; ++i) asm volatile("xor.b32 %0, %0, %1;" : "+r"(sum) : "r"(r[i]));
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  const long long end = stamp(sum);
  if (sum == 1) *sink = sum;
  if (lane == 0) spans[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {start, end};
  if (threadIdx.x == 0) sms[blockIdx.x] = sm_id();
}

template <int Loads>
void streams() {
  DeviceArray<char> data{8 << 20};
  const int count = sm_count();
  DeviceArray<Span> spans{count * std::size_t(64)};
  DeviceArray<unsigned> sms{2 * std::size_t(count)}, sink{1};
  for (int stride : {0, 128, 2048})
    for (int threads : {256, 1024}) {
      double best = 1e30;
      const int rounds = 64, warps = threads / 32;
      for (int run = 0; run < 3; ++run) {
        check(cudaMemset(sms.get(), 0xff, sms.bytes()));
        stream<Loads>
            <<<count, threads, threads * 16>>>(data.get(), 8 << 20, stride, rounds, spans.get(), sms.get(), sink.get());
        check(cudaGetLastError());
        const auto all = spans.read(count * warps);
        const auto on = sms.read(count);
        std::vector<Span> own;
        for (int i = 0; i < count * warps; ++i)
          if (on[i / warps] == 5) own.push_back(all[i]);
        best = std::min(best, double(cycles_of(own)) / (rounds * warps));
      }
      row("copies", "LDGSTS", named("loads", Loads) + " " + named("stride", stride) + " " + named("warps", warps), best,
          "cycles/round of a warp");
    }
}

}  // namespace

int main() {
  fills();
  streams<0>();
  streams<2>();
  streams<4>();
  streams<8>();
  streams<12>();
}

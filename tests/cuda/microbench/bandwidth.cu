// Bandwidth of L1, L2 and HBM by number of SMs, warps, and loads in flight.
#include "bench.h"

namespace {

enum class Mode { read, write, copy, add };

struct Stream {
  const char *x, *y;
  char* out;
  std::size_t mask;     // footprint - 1
  std::size_t sm_step;  // distance between the footprints of SMs; 0: all SMs share one
  int warps, iterations, sms;
  const int* ranks;  // by SM: its number among the participants, or -1
  unsigned* arrived;
  Span* spans;  // by SM
  Mode mode;
  bool l1;
};

template <class Word>
__device__ Word load(const char* from, bool l1);
template <>
__device__ unsigned load<unsigned>(const char* from, bool l1) {
  unsigned v;
  if (l1)
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(from));
  else
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(from));
  return v;
}
template <>
__device__ uint2 load<uint2>(const char* from, bool l1) {
  uint2 v;
  if (l1)
    asm volatile("ld.global.v2.u32 {%0,%1}, [%2];" : "=r"(v.x), "=r"(v.y) : "l"(from));
  else
    asm volatile("ld.global.cg.v2.u32 {%0,%1}, [%2];" : "=r"(v.x), "=r"(v.y) : "l"(from));
  return v;
}
template <>
__device__ uint4 load<uint4>(const char* from, bool l1) {
  uint4 v;
  if (l1)
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from));
  else
    asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from));
  return v;
}
__device__ unsigned fold(unsigned v) { return v; }
__device__ unsigned fold(uint2 v) { return v.x ^ v.y; }
__device__ unsigned fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }
__device__ unsigned sum(unsigned a, unsigned b) { return a + b; }
__device__ uint2 sum(uint2 a, uint2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ uint4 sum(uint4 a, uint4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

__device__ void wait_for_all(unsigned* arrived, int sms) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (*static_cast<volatile unsigned*>(arrived) < static_cast<unsigned>(sms)) {
    }
  }
  __syncthreads();
}

template <class Word, int U, Mode M, bool L1>
__device__ unsigned pass(const Stream& s, std::size_t first, std::size_t step) {
  unsigned result = 0;
  const std::size_t lane = (threadIdx.x & 31) * sizeof(Word);
#pragma unroll 1
  for (int i = 0; i < s.iterations; ++i) {
    const std::size_t at = ((first + i * step) & s.mask) + lane;
    Word v[U], w[U];
#pragma unroll
    for (int u = 0; u < U; ++u) {
      if (M != Mode::write) v[u] = load<Word>(s.x + at + u * 32 * sizeof(Word), L1);
      if (M == Mode::add) w[u] = load<Word>(s.y + at + u * 32 * sizeof(Word), L1);
      if (M == Mode::write) v[u] = Word{};
    }
#pragma unroll
    for (int u = 0; u < U; ++u) {
      if (M == Mode::add) v[u] = sum(v[u], w[u]);
      if (M == Mode::read)
        result ^= fold(v[u]);
      else
        *reinterpret_cast<Word*>(s.out + at + u * 32 * sizeof(Word)) = v[u];
    }
  }
  return result;
}

template <class Word, int U, Mode M, bool L1>
__global__ void __launch_bounds__(1024) stream(Stream s) {
  const int rank = s.ranks[sm_id()];
  const int warp = threadIdx.x / 32;
  wait_for_all(s.arrived, gridDim.x);  // only then is it certain that each SM has one block
  if (rank < 0) return;
  __shared__ long long start, end;
  const std::size_t chunk = U * 32 * sizeof(Word);
  const char* none = nullptr;
  if (threadIdx.x == 0) start = now();
  unsigned result = 0;
  if (warp < s.warps) {
    if (L1) {
      Stream mine = s;
      mine.x += rank * s.sm_step;
      result = pass<Word, U, M, L1>(mine, warp * chunk, s.warps * chunk);
    } else {
      result =
          pass<Word, U, M, L1>(s, (std::size_t(rank) * s.warps + warp) * chunk, std::size_t(s.sms) * s.warps * chunk);
    }
  }
  if (result == 1) *reinterpret_cast<volatile char*>(s.out) = none == s.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    end = now();
    s.spans[sm_id()] = {start, end};
  }
}

constexpr int forced_shared = 120 * 1024;  // one block per SM

struct Set {
  std::string name;
  std::vector<int> sms;
};

std::vector<int> first_sms(int count) {
  std::vector<int> sms(count);
  for (int i = 0; i < count; ++i) sms[i] = i;
  return sms;
}

__global__ void place(int* sms) {
  if (threadIdx.x == 0) sms[blockIdx.x] = static_cast<int>(sm_id());
}

/// The SMs of one GPC: those of a cluster of 16 blocks, of which each fills an SM. Empty if there are no such clusters.
std::vector<int> sms_of_a_gpc() {
  DeviceArray<int> sms{16};
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {16, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(16);
  config.blockDim = dim3(32);
  config.dynamicSmemBytes = 200 << 10;
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (cudaFuncSetAttribute(place, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) != cudaSuccess ||
      cudaFuncSetAttribute(place, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10) != cudaSuccess ||
      cudaLaunchKernelEx(&config, place, sms.get()) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  return sms.read(16);
}

struct Bench {
  DeviceArray<char> x{std::size_t(1) << 30}, y{std::size_t(1) << 30}, out{std::size_t(1) << 30};
  DeviceArray<int> ranks{256};
  DeviceArray<unsigned> arrived{1};
  DeviceArray<Span> spans{256};
  L2Sweeper l2;
  int sms = 0;

  template <class Word, int U, Mode M, bool L1>
  void launch(Stream s) {
    static bool configured = false;
    if (!configured) {
      check(cudaFuncSetAttribute(stream<Word, U, M, L1>, cudaFuncAttributeMaxDynamicSharedMemorySize, forced_shared));
      configured = true;
    }
    check(cudaMemsetAsync(arrived.get(), 0, 4));
    stream<Word, U, M, L1><<<sms, 1024, forced_shared>>>(s);
    check(cudaGetLastError());
  }

  template <class Word, int U, Mode M, bool L1 = false>
  void measure(const char* name, const Set& set, int warps, std::size_t footprint, bool cold) {
    std::vector<int> by_sm(256, -1);
    for (std::size_t i = 0; i < set.sms.size(); ++i) by_sm[set.sms[i]] = static_cast<int>(i);
    ranks.set(by_sm);
    const int count = static_cast<int>(set.sms.size());
    Stream s{x.get(),     y.get(), out.get(), footprint - 1, L1 ? footprint : 0,
             warps,       0,       count,     ranks.get(),   arrived.get(),
             spans.get(), M,       L1};
    const std::size_t per_iteration = std::size_t(L1 ? 1 : count) * warps * U * 32 * sizeof(Word);
    s.iterations = static_cast<int>(std::max<std::size_t>(1, footprint / per_iteration));
    if (cold)
      l2.sweep();
    else
      launch<Word, U, M, L1>(s);
    const std::size_t target = L1 ? (std::size_t(1) << 20) : cold ? footprint : (std::size_t(64) << 20);
    s.iterations = static_cast<int>(std::clamp<std::size_t>(target / per_iteration, L1 ? 64 : 24, 2048));
    launch<Word, U, M, L1>(s);
    const std::vector<Span> all = spans.read(256);
    long long longest = 0;
    double total = 0;
    for (int sm : set.sms) {
      longest = std::max(longest, all[sm].end - all[sm].start);
      total += static_cast<double>(all[sm].end - all[sm].start);
    }
    const double streams = M == Mode::read || M == Mode::write ? 1 : M == Mode::copy ? 2 : 3;
    const double bytes = double(s.iterations) * warps * U * 32 * sizeof(Word) * streams;  // per SM
    const std::string parameters = std::string("sms=") + set.name + " warps=" + std::to_string(warps) +
                                   " loads=" + std::to_string(U) + " width=" + std::to_string(sizeof(Word) * 8) +
                                   " footprint=" + std::to_string(footprint >> 10) + "K";
    row("bandwidth", name, parameters, bytes * count / static_cast<double>(longest), "B/clk");
    row("bandwidth", std::string(name) + "_iteration", parameters, total / count / s.iterations, "cycles");
  }

  template <class Word, int U>
  void reads(const std::vector<Set>& sets) {
    for (const Set& set : sets)
      for (int warps : {1, 2, 4, 8, 16, 32}) {
        if (set.sms.size() == 1) measure<Word, U, Mode::read, true>("read_l1", set, warps, 16 << 10, false);
        for (std::size_t mb : {4, 16, 32}) measure<Word, U, Mode::read>("read_l2", set, warps, mb << 20, false);
        for (std::size_t mb : {256, 1024}) {
          if (mb == 1024 && set.sms.size() < 66) continue;
          measure<Word, U, Mode::read>("read_hbm", set, warps, mb << 20, true);
        }
      }
  }

  template <class Word, Mode M>
  void writes(const char* name, const std::vector<Set>& sets) {
    for (const Set& set : sets)
      for (int warps : {1, 4, 16, 32}) {
        measure<Word, 4, M>(name, set, warps, 8 << 20, false);
        measure<Word, 4, M>((std::string(name) + "_hbm").c_str(), set, warps, 1024u << 20, true);
      }
  }
};

// One request per lane at a stride, or at a random sector.
__global__ void __launch_bounds__(1024) strided(const char* x, std::size_t mask, unsigned stride, int iterations,
                                                bool random, unsigned* sink, unsigned* arrived, Span* spans) {
  wait_for_all(arrived, gridDim.x);
  const long long start = now();
  const std::size_t warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
  const std::size_t warps = gridDim.x * (blockDim.x / 32);
  unsigned result = 0;
#pragma unroll 4
  for (int i = 0; i < iterations; ++i) {
    std::size_t at = ((warp + i * warps) * 32 + lane) * stride;
    if (random) {
      unsigned h = static_cast<unsigned>((warp + i * warps) * 32 + lane) * 2654435761u;
      h = (h ^ h >> 15) * 2246822519u;
      h = (h ^ h >> 13) * 3266489917u;
      at = std::size_t(h ^ h >> 16) * 32;
    }
    unsigned v;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(x + (at & mask)));
    result ^= v;
  }
  if (result == 1) *sink = result;
  __syncthreads();
  if (threadIdx.x == 0) spans[sm_id()] = {start, now()};
}

void sectors(Bench& bench) {
  DeviceArray<unsigned> sink(1);
  check(cudaFuncSetAttribute(strided, cudaFuncAttributeMaxDynamicSharedMemorySize, forced_shared));
  for (std::size_t mb : {16, 1024})
    for (int stride : {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 0}) {
      const int iterations = 32;
      if (mb == 1024) bench.l2.sweep();
      for (int run = mb == 1024 ? 1 : 0; run < 2; ++run) {
        check(cudaMemsetAsync(bench.arrived.get(), 0, 4));
        strided<<<bench.sms, 1024, forced_shared>>>(bench.x.get(), (mb << 20) - 1, stride, iterations, stride == 0,
                                                    sink.get(), bench.arrived.get(), bench.spans.get());
        check(cudaGetLastError());
      }
      long long longest = 0;
      for (const Span& span : bench.spans.read(bench.sms)) longest = std::max(longest, span.end - span.start);
      const double requests = double(bench.sms) * 32 * iterations;
      const double each = stride == 0 ? 32 : std::min(32.0, std::max(1.0, 32.0 * stride / 32));
      const std::string parameters = (stride ? named("stride", stride) : std::string("stride=random")) + " " +
                                     named("footprint_mb", static_cast<long long>(mb));
      row("sectors", "requests", parameters, requests / longest, "requests/clk");
      row("sectors", "sectors", parameters, requests * each / longest, "sectors/clk");
    }
}

// One pass over cold data, a thread per word.
template <class Word>
__global__ void one_shot(const Word* x, Word* y, unsigned* sink, unsigned long long* times, bool copy) {
  if (threadIdx.x == 0) times[2 * blockIdx.x] = nanoseconds();
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  const Word v = x[i];
  if (copy)
    y[i] = v;
  else if (fold(v) == 1)
    *sink = 1;
  __syncthreads();
  if (threadIdx.x == 0) times[2 * blockIdx.x + 1] = nanoseconds();
}

template <class Word>
void one_shots(Bench& bench) {
  DeviceArray<unsigned> sink(1);
  DeviceArray<unsigned long long> times(2 << 18);
  cudaEvent_t before, after;
  check(cudaEventCreate(&before));
  check(cudaEventCreate(&after));
  bench.l2.sweep();
  for (bool copy : {false, true})
    for (int mb : {1, 2, 4, 8, 16, 32, 64, 256}) {
      const int blocks = static_cast<int>((mb << 20) / (256 * sizeof(Word)));
      std::vector<double> inside, outside;
      for (int run = 0; run < 7; ++run) {
        bench.l2.sweep();
        check(cudaEventRecord(before));
        one_shot<Word><<<blocks, 256>>>(reinterpret_cast<const Word*>(bench.x.get()),
                                        reinterpret_cast<Word*>(bench.out.get()), sink.get(), times.get(), copy);
        check(cudaEventRecord(after));
        check(cudaEventSynchronize(after));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, before, after));
        const auto t = times.read(2 * blocks);
        inside.push_back(
            static_cast<double>(*std::max_element(t.begin(), t.end()) - *std::min_element(t.begin(), t.end())));
        outside.push_back(ms * 1e6);
      }
      std::sort(inside.begin(), inside.end());
      std::sort(outside.begin(), outside.end());
      const std::string parameters = named("mb", mb) + " " + named("width", sizeof(Word) * 8);
      row("one_shot", copy ? "copy_inside" : "read_inside", parameters, inside[3], "ns");
      row("one_shot", copy ? "copy_events" : "read_events", parameters, outside[3], "ns");
    }
}

}  // namespace

int main() {
  Bench bench;
  bench.sms = sm_count();
  const std::vector<Set> all = {{"1", {0}},
                                {"2_same_tpc", {0, 1}},
                                {"2_apart", {0, 16}},
                                {"8", first_sms(8)},
                                {"8_apart", {0, 16, 32, 48, 64, 78, 92, 106}},
                                {"16", first_sms(16)},
                                {"33", first_sms(33)},
                                {std::to_string(bench.sms / 2), first_sms(bench.sms / 2)},
                                {std::to_string(bench.sms), first_sms(bench.sms)}};
  std::vector<Set> few = {all[0], all[1], all[5], all[7], all[8]};
  if (const std::vector<int> gpc = sms_of_a_gpc(); !gpc.empty()) few.push_back({"gpc", gpc});
  one_shots<unsigned>(bench);
  one_shots<uint4>(bench);
  sectors(bench);
  std::fflush(stdout);
  bench.reads<unsigned, 1>(all);
  bench.reads<unsigned, 2>(few);
  bench.reads<unsigned, 4>(all);
  bench.reads<unsigned, 8>(few);
  bench.reads<uint2, 1>(few);
  bench.reads<uint2, 4>(few);
  bench.reads<uint4, 1>(all);
  bench.reads<uint4, 2>(few);
  bench.reads<uint4, 4>(all);
  std::fflush(stdout);
  bench.writes<unsigned, Mode::write>("write", few);
  bench.writes<uint4, Mode::write>("write", few);
  bench.writes<unsigned, Mode::copy>("copy", few);
  bench.writes<uint4, Mode::copy>("copy", few);
  bench.writes<unsigned, Mode::add>("add", few);
  bench.writes<uint4, Mode::add>("add", few);
}

// Atomics on global memory: latency, and cycles per request by address pattern.
#include "bench.h"

namespace {

enum class Where { one, per_warp, per_lane, random };

template <class T, bool Returns>
__device__ T add(T* at, T value) {
  T old{};
  if constexpr (sizeof(T) == 8) {
    if (Returns)
      asm volatile("atom.global.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(at), "l"(value) : "memory");
    else
      asm volatile("red.global.add.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
  } else if constexpr (T(0.5) != T(0)) {
    if (Returns)
      asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(at), "f"(value) : "memory");
    else
      asm volatile("red.global.add.f32 [%0], %1;" ::"l"(at), "f"(value) : "memory");
  } else {
    if (Returns)
      asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(value) : "memory");
    else
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
  }
  return old;
}

template <class T, bool Returns>
__global__ void __launch_bounds__(1024) throughput(T* data, Where where, int rounds, Span* spans, T* sink) {
  const unsigned lane = threadIdx.x & 31;
  const unsigned warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, warps = gridDim.x * (blockDim.x / 32);
  T sum{};
  const long long start = now();
#pragma unroll 2
  for (int k = 0; k < rounds; ++k) {
    unsigned at = 0;
    if (where == Where::per_warp) at = (k * warps + warp) * 32;
    if (where == Where::per_lane) at = (k * warps + warp) * 32 + lane;
    if (where == Where::random) {
      at = ((k * warps + warp) * 32 + lane) * 2654435761u;
      at = (at ^ at >> 15) * 2246822519u;
      at ^= at >> 13;
    }
    sum += add<T, Returns>(data + (at & 0x3fffff), T(lane));
  }
  if (sum == T(1)) *sink = sum;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x] = {start, now()};
}

template <class T>
__global__ void latency(T* data, Span* spans, int lanes) {
  if (threadIdx.x >= lanes) return;
  T value{};
  long long start = 0;
  for (int k = 0; k < 33; ++k) {
    if (k == 1) start = stamp(static_cast<unsigned>(value));
    value = add<T, true>(data + threadIdx.x, value);
  }
  if (threadIdx.x == 0) spans[0] = {start, stamp(static_cast<unsigned>(value))};
}

__global__ void swap_latency(unsigned* data, Span* spans) {
  unsigned value = 0;
  long long start = 0;
  for (int k = 0; k < 33; ++k) {
    if (k == 1) start = stamp(value);
    asm volatile("atom.global.cas.b32 %0, [%1], %0, %0;" : "+r"(value) : "l"(data) : "memory");
  }
  spans[0] = {start, stamp(value)};
}

/// A chain of atomics takes longer if its line has its home in the other partition of L2: all types use the same lines.
/// A row has the mean over them.
template <class T>
void latencies(const char* type, DeviceArray<char>& memory) {
  DeviceArray<Span> spans(1);
  const int lines = 256;
  for (int lanes : {1, 32}) {
    double sum = 0;
    for (int line = 0; line < lines; ++line) {
      latency<T><<<1, 32>>>(reinterpret_cast<T*>(memory.get() + std::size_t(line) * 4352), spans.get(), lanes);
      sum += double(cycles_of(spans.read(1))) / 32;
    }
    row("atomics", "ATOM_latency", std::string("type=") + type + " " + named("lanes", lanes), sum / lines, "cycles");
  }
}

template <class T>
void measure(const char* type, int sms) {
  DeviceArray<T> data(1 << 22);
  DeviceArray<T> sink(1);
  DeviceArray<Span> spans(256);
  const char* names[] = {"one_address", "one_per_warp", "one_per_lane", "random"};
  for (int blocks : {1, 2, sms})
    for (int warps : {1, 8, 32})
      for (Where where : {Where::one, Where::per_warp, Where::per_lane, Where::random})
        for (bool returns : {false, true}) {
          const int rounds = 32;
          const auto kernel = returns ? throughput<T, true> : throughput<T, false>;
          for (int run = 0; run < 2; ++run)
            kernel<<<blocks, warps * 32>>>(data.get(), where, rounds, spans.get(), sink.get());
          check(cudaGetLastError());
          long long longest = 0;
          for (const Span& span : spans.read(blocks)) longest = std::max(longest, span.end - span.start);
          row("atomics", returns ? "ATOM" : "RED",
              std::string("type=") + type + " address=" + names[static_cast<int>(where)] + " " + named("sms", blocks) +
                  " " + named("warps", warps),
              double(longest) / (double(rounds) * warps * blocks), "cycles/request");
        }
}

}  // namespace

int main() {
  const int sms = sm_count();
  DeviceArray<char> memory(2 << 20);
  latencies<unsigned>("u32", memory);
  memory.clear();
  latencies<float>("f32", memory);
  memory.clear();
  latencies<unsigned long long>("u64", memory);
  measure<unsigned>("u32", sms);
  measure<float>("f32", sms);
  measure<unsigned long long>("u64", sms);
  DeviceArray<unsigned> data(1);
  DeviceArray<Span> spans(1);
  swap_latency<<<1, 1>>>(data.get(), spans.get());
  row("atomics", "CAS_latency", "type=u32 lanes=1", double(cycles_of(spans.read(1))) / 32, "cycles");
}

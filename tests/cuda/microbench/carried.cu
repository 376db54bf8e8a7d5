// What the caches hold when a kernel starts: lines of L2 after copies, memsets and kernels, L1, constants, parameters
// and code after another launch. `carried programs` runs a sequence of copies and kernels instead and gives the time of
// each kernel's blocks, to compare with `warpwalk record --on sim --cycles`.
#include <cstring>

#include "bench.h"

namespace {

constexpr int probes = 512, runs = 5;
constexpr std::size_t mega = 1 << 20;

/// Times one load of each of `probes` lines that are `step` bytes apart. Another line of the page is loaded before, so
/// that its address is translated.
__global__ void probe(const char* x, std::size_t step, unsigned* cycles) {
  unsigned sum = 0;
  for (int i = 0; i < probes; ++i) {
    const char* const at = x + i * step + (i * 37 % (step / 512)) * 512;
    const char* const beside = x + i * step + (i * 37 % (step / 512)) * 512 / 8192 * 8192 + 256;
    unsigned a, v;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(beside + sum % 2) : "memory");
    stamp(a);
    const long long start = now();
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at + a % 2) : "memory");
    cycles[i] = static_cast<unsigned>(stamp(v) - start);
    sum += v & 2;
  }
  if (sum == 1) cycles[0] = sum;
}

__global__ void read_all(const uint4* x, std::size_t count, unsigned* sink, unsigned long long* times) {
  const unsigned long long start = nanoseconds();
  unsigned sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const uint4 v = x[i];
    sum += v.x ^ v.y ^ v.z ^ v.w;
  }
  if (sum == 1) *sink = sum;
  __syncthreads();
  if (threadIdx.x == 0) times[2 * blockIdx.x] = start, times[2 * blockIdx.x + 1] = nanoseconds();
}

__global__ void write_all(uint4* x, std::size_t count, unsigned long long* times) {
  const unsigned long long start = nanoseconds();
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    x[i] = uint4{0, 0, 0, 0};
  __syncthreads();
  if (threadIdx.x == 0) times[2 * blockIdx.x] = start, times[2 * blockIdx.x + 1] = nanoseconds();
}

constexpr int blocks = 528, threads = 256;

struct Bench {
  DeviceArray<char> x{256 * mega}, y{256 * mega};
  DeviceArray<unsigned> cycles{probes}, sink{1};
  DeviceArray<unsigned long long> times{2 * blocks};
  L2Sweeper l2;
  char *pinned = nullptr, *pageable = nullptr;

  Bench() {
    check(cudaMallocHost(&pinned, 256 * mega));
    pageable = static_cast<char*>(std::calloc(256 * mega, 1));
    std::memset(pinned, 0, 256 * mega);
    std::memset(pageable, 0, 256 * mega);
  }

  void read(const char* at, std::size_t bytes) {
    read_all<<<blocks, threads>>>(reinterpret_cast<const uint4*>(at), bytes / 16, sink.get(), times.get());
  }
  void write(char* at, std::size_t bytes) {
    write_all<<<blocks, threads>>>(reinterpret_cast<uint4*>(at), bytes / 16, times.get());
  }

  template <class Before>
  void lines(const char* name, std::size_t bytes, const char* at, Before before) {
    constexpr unsigned near = 400, hit = 510;  // cycles; L2 answers in less, memory in more, but for 3 % of the loads
    std::vector<unsigned> all;
    int hits[4] = {};  // by quarter of the buffer
    for (int run = 0; run < runs; ++run) {
      l2.sweep();
      check(cudaDeviceSynchronize());
      before();
      check(cudaDeviceSynchronize());
      probe<<<1, 1>>>(at, bytes / probes, cycles.get());
      check(cudaGetLastError());
      const std::vector<unsigned> read = cycles.read(probes);
      for (int i = 0; i < probes; ++i) hits[i / (probes / 4)] += read[i] < hit, all.push_back(read[i]);
    }
    std::sort(all.begin(), all.end());
    const auto below = [&](unsigned limit) {
      return 100.0 * double(std::lower_bound(all.begin(), all.end(), limit) - all.begin()) / double(all.size());
    };
    std::string what = named("bytes", static_cast<long long>(bytes));
    for (const int percent : {5, 25, 50, 75, 95})
      what += " p" + std::to_string(percent) + "=" + std::to_string(all[all.size() * percent / 100]);
    what += " quarters=";
    for (int i = 0; i < 4; ++i) what += (i ? "/" : "") + std::to_string(400 * hits[i] / runs / probes);
    row("carried", std::string("near_") + name, what, below(near), "percent");
    row("carried", std::string("l2_") + name, what, below(hit), "percent");
  }

  void all_lines() {
    for (const std::size_t bytes :
         {mega / 2, 1 * mega, 2 * mega, 4 * mega, 8 * mega, 16 * mega, 32 * mega, 48 * mega, 64 * mega, 128 * mega}) {
      char* const a = x.get();
      char* const b = y.get();
      lines("nothing", bytes, a, [&] {});
      lines("copy_from_pinned", bytes, a, [&] { check(cudaMemcpy(a, pinned, bytes, cudaMemcpyHostToDevice)); });
      lines("copy_from_pageable", bytes, a, [&] { check(cudaMemcpy(a, pageable, bytes, cudaMemcpyHostToDevice)); });
      lines("copy_to_pinned", bytes, a, [&] { check(cudaMemcpy(pinned, a, bytes, cudaMemcpyDeviceToHost)); });
      lines("memset", bytes, a, [&] { check(cudaMemset(a, 0, bytes)); });
      lines("copy_target", bytes, a, [&] { check(cudaMemcpy(a, b, bytes, cudaMemcpyDeviceToDevice)); });
      lines("copy_source", bytes, b, [&] { check(cudaMemcpy(a, b, bytes, cudaMemcpyDeviceToDevice)); });
      lines("kernel_reads", bytes, a, [&] { read(a, bytes); });
      lines("kernel_writes", bytes, a, [&] { write(a, bytes); });
      lines("kernel_reads_copy_from_pinned", bytes, a, [&] {
        read(a, bytes);
        check(cudaMemcpy(a, pinned, bytes, cudaMemcpyHostToDevice));
      });
      lines("kernel_reads_copy_to_pinned", bytes, a, [&] {
        read(a, bytes);
        check(cudaMemcpy(pinned, a, bytes, cudaMemcpyDeviceToHost));
      });
      lines("kernel_reads_memset", bytes, a, [&] {
        read(a, bytes);
        check(cudaMemset(a, 0, bytes));
      });
      if (bytes > 8 * mega) continue;
      lines("kernel_reads_of_host_memory", bytes, pinned, [&] { read(pinned, bytes); });
    }
  }
};

__constant__ unsigned constants[16384];

struct Parameters {
  unsigned values[960];
};

/// Two passes over constants, parameters and lines of L1 in one thread of each SM; the cycles of each first and second
/// load.
template <int tag>
__global__ void passes(const __grid_constant__ Parameters parameters, const unsigned* x, unsigned* cycles) {
  if (threadIdx.x) return;
  unsigned* const out = cycles + blockIdx.x * 6 * 8;
  unsigned sum = tag;
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < 8; ++i) {
      long long start = now();
      unsigned v = constants[i * 64 + (sum & 2)];
      const unsigned a = static_cast<unsigned>(stamp(v) - start);
      sum += v & 2;
      start = now();
      v = parameters.values[i * 64 + (sum & 2)];
      const unsigned b = static_cast<unsigned>(stamp(v) - start);
      sum += v & 2;
      start = now();
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(x + blockIdx.x * 256 + i * 32 + (sum & 2)) : "memory");
      const unsigned c = static_cast<unsigned>(stamp(v) - start);
      sum += v & 2;
      out[(pass * 3 + 0) * 8 + i] = a, out[(pass * 3 + 1) * 8 + i] = b, out[(pass * 3 + 2) * 8 + i] = c;
    }
  if (sum == 1) cycles[0] = sum;
}

/// Straight code of `count` instructions that one warp of each SM runs twice.
template <int count>
__global__ void straight(float* out, unsigned* cycles) {
  float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
  const float k = out[0];
  for (int pass = 0; pass < 2; ++pass) {
    const long long start = now();
#pragma unroll
    for (int i = 0; i < count / 4; ++i) a = a * k + i, b = b * k + i, c = c * k + i, d = d * k + i;
    if (threadIdx.x == 0) cycles[blockIdx.x * 2 + pass] = static_cast<unsigned>(now() - start);
  }
  if (a + b + c + d == 1) out[1] = a;
}

void first_loads() {
  const int sms = sm_count();
  DeviceArray<unsigned> x(sms * 256), cycles(sms * 48);
  Parameters parameters{};
  const auto print = [&](const char* before) {
    const std::vector<unsigned> all = cycles.read(sms * 48);
    const char* const names[] = {"constant", "parameter", "l1"};
    for (int pass = 0; pass < 2; ++pass)
      for (int kind = 0; kind < 3; ++kind)
        for (const bool first : {true, false}) {
          std::vector<unsigned> values;
          for (int sm = 0; sm < sms; ++sm)
            for (int i = first ? 0 : 1; i < (first ? 1 : 8); ++i)
              values.push_back(all[sm * 48 + (pass * 3 + kind) * 8 + i]);
          std::sort(values.begin(), values.end());
          row("carried", std::string(names[kind]) + (pass == 0 ? "_first" : "_second") + (first ? "_line0" : "_others"),
              std::string("before=") + before + " least=" + std::to_string(values[0]) +
                  " most=" + std::to_string(values.back()),
              values[values.size() / 2], "cycles");
        }
  };
  passes<0><<<sms, 32>>>(parameters, x.get(), cycles.get());
  check(cudaDeviceSynchronize());
  passes<0><<<sms, 32>>>(parameters, x.get(), cycles.get());
  print("the_same_and_a_wait");
  passes<0><<<sms, 32>>>(parameters, x.get(), cycles.get());
  passes<0><<<sms, 32>>>(parameters, x.get(), cycles.get());
  print("the_same");
  passes<1><<<sms, 32>>>(parameters, x.get(), cycles.get());
  passes<0><<<sms, 32>>>(parameters, x.get(), cycles.get());
  print("another_kernel");
  const std::vector<unsigned> zeros(16384);
  check(cudaMemcpyToSymbol(constants, zeros.data(), 65536));
  passes<0><<<sms, 32>>>(parameters, x.get(), cycles.get());
  print("copy_to_symbol");
  L2Sweeper l2;
  passes<0><<<sms, 32>>>(parameters, x.get(), cycles.get());
  l2.sweep();
  passes<0><<<sms, 32>>>(parameters, x.get(), cycles.get());
  print("sweep");

  DeviceArray<float> out(2);
  DeviceArray<unsigned> code(sms * 2);
  const auto code_row = [&](const char* name, int count, const char* before) {
    const std::vector<unsigned> all = code.read(sms * 2);
    std::vector<unsigned> first, second;
    for (int sm = 0; sm < sms; ++sm) first.push_back(all[2 * sm]), second.push_back(all[2 * sm + 1]);
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    row("carried", std::string(name) + "_first", std::string("before=") + before, double(first[sms / 2]) / count,
        "cycles");
    row("carried", std::string(name) + "_second", std::string("before=") + before, double(second[sms / 2]) / count,
        "cycles");
  };
  for (int run = 0; run < 3; ++run) {
    straight<1024><<<sms, 32>>>(out.get(), code.get());
    code_row("code_16K", 1024, "the_same");
  }
  for (int run = 0; run < 2; ++run) {
    straight<3072><<<sms, 32>>>(out.get(), code.get());
    code_row("code_48K", 3072, run ? "the_same" : "other");
  }
  for (int run = 0; run < 2; ++run) {
    straight<5120><<<sms, 32>>>(out.get(), code.get());
    code_row("code_80K", 5120, run ? "the_same" : "other");
  }
  straight<1024><<<sms, 32>>>(out.get(), code.get());
  code_row("code_16K", 1024, "code_80K");
  straight<3072><<<sms, 32>>>(out.get(), code.get());
  code_row("code_48K", 3072, "code_80K");
}

/// A sequence of work; the time of each kernel's blocks.
void programs() {
  DeviceArray<unsigned> sink{1};
  DeviceArray<unsigned long long> times{2 * blocks};
  for (const std::size_t bytes : {1 * mega, 8 * mega, 32 * mega, 100 * mega}) {
    char *x = nullptr, *other = nullptr, *host = nullptr;
    check(cudaMalloc(&x, bytes));
    check(cudaMalloc(&other, 128 * mega));
    check(cudaMallocHost(&host, bytes));
    const auto print = [&](const char* name) {
      check(cudaGetLastError());
      const auto all = times.read(2 * blocks);
      unsigned long long start = ~0ull, end = 0;
      for (int i = 0; i < blocks; ++i) start = std::min(start, all[2 * i]), end = std::max(end, all[2 * i + 1]);
      row("carried", name, named("bytes", static_cast<long long>(bytes)), double(end - start), "ns");
    };
    const auto read = [&](const char* name, const char* at, std::size_t count) {
      read_all<<<blocks, threads>>>(reinterpret_cast<const uint4*>(at), count / 16, sink.get(), times.get());
      print(name);
    };
    const auto write = [&](const char* name, char* at, std::size_t count) {
      write_all<<<blocks, threads>>>(reinterpret_cast<uint4*>(at), count / 16, times.get());
      print(name);
    };
    check(cudaMemset(x, 0, bytes));
    read("warm_up", other, 128 * mega);
    read("read_after_others", x, bytes);
    read("read_again", x, bytes);
    check(cudaMemcpy(x, host, bytes, cudaMemcpyHostToDevice));
    read("read_after_copy", x, bytes);
    check(cudaMemset(x, 0, bytes));
    read("read_after_memset", x, bytes);
    write("write", x, bytes);
    read("read_after_write", x, bytes);
    check(cudaMemcpy(other, x, bytes, cudaMemcpyDeviceToDevice));
    read("read_after_copy_within", other, bytes);
    check(cudaFree(x));
    check(cudaFree(other));
    check(cudaFreeHost(host));
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "programs") == 0) {
    programs();
    return 0;
  }
  first_loads();
  programs();
  programs();
  Bench().all_lines();
}

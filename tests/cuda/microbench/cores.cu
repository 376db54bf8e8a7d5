// The same work on one CPU core, on all CPU cores and on the GPU, by the number of elements; and what one thread does
// alone on each. Compile the host code with OpenMP and FMA instructions (run.sh does).
#include <chrono>
#include <cstring>
#include <fstream>
#include <numeric>
#include <random>
#include <thread>

#include <omp.h>

#include "bench.h"

namespace {

constexpr int steps = 256;  // multiply-adds per element of the busy work

__global__ void busy_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int k = 0; k < steps; ++k) v = v * 0.999f + 0.001f;
  y[i] = v;
}

__global__ void saxpy_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i] + y[i];
}

__global__ void chain_kernel(float* y, int count) {
  float v = y[0];
#pragma unroll 16
  for (int k = 0; k < count; ++k) v = v * 0.999f + 0.001f;
  y[0] = v;
}

__global__ void chase_kernel(const unsigned* next, unsigned* y, int count) {
  unsigned at = 0;
  for (int k = 0; k < count; ++k) at = next[at];
  *y = at;
}

using Eight = float __attribute__((vector_size(32)));

// 64 elements at a time in eight vector registers: so many chains hide the latency of an instruction.
void busy_part(const float* x, float* y, long first, long last) {
  for (long i = first; i < last; i += 64) {
    const long count = std::min(64L, last - i);
    float in[64] = {}, out[64];
    std::copy_n(x + i, count, in);
    Eight v[8];
    std::memcpy(v, in, sizeof v);
    for (int k = 0; k < steps; ++k) {
      v[0] = v[0] * 0.999f + 0.001f;
      v[1] = v[1] * 0.999f + 0.001f;
      v[2] = v[2] * 0.999f + 0.001f;
      v[3] = v[3] * 0.999f + 0.001f;
      v[4] = v[4] * 0.999f + 0.001f;
      v[5] = v[5] * 0.999f + 0.001f;
      v[6] = v[6] * 0.999f + 0.001f;
      v[7] = v[7] * 0.999f + 0.001f;
    }
    std::memcpy(out, v, sizeof v);
    std::copy_n(out, count, y + i);
  }
}

void saxpy_part(const float* x, float* y, long first, long last) {
  for (long i = first; i < last; ++i) y[i] = 2.0f * x[i] + y[i];
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The median time of one run in nanoseconds: at least 7 runs and a tenth of a second, after three runs.
template <class F>
double median_ns(F&& run) {
  for (int i = 0; i < 3; ++i) run();
  std::vector<double> times;
  const double end = seconds() + 0.1;
  while (times.size() < 7 || (seconds() < end && times.size() < 2000)) {
    const double start = seconds();
    run();
    times.push_back((seconds() - start) * 1e9);
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

template <class Part, class Kernel>
void work(const char* name, Part part, Kernel kernel) {
  constexpr long most = 1 << 26;
  std::vector<float> x(most, 0.5f), y(most, 0.25f);
  const DeviceArray<float> gpu_x(most), gpu_y(most);
  const int cores = omp_get_max_threads();
  for (long n = 1; n <= most; n *= 4) {
    const std::string parameters = named("elements", n);
    row("cores", std::string(name) + "_one_core", parameters, median_ns([&] { part(x.data(), y.data(), 0, n); }), "ns");
    row("cores", std::string(name) + "_all_cores", parameters + " " + named("threads", cores), median_ns([&] {
#pragma omp parallel
          {
            const long share = ((n + cores - 1) / cores + 63) / 64 * 64, first = omp_get_thread_num() * share;
            if (first < n) part(x.data(), y.data(), first, std::min(n, first + share));
          }
        }),
        "ns");
    row("cores", std::string(name) + "_gpu", parameters, median_ns([&] {
          kernel<<<static_cast<unsigned>((n + 255) / 256), 256>>>(gpu_x.get(), gpu_y.get(), static_cast<int>(n));
          check(cudaDeviceSynchronize());
        }),
        "ns");
  }
}

// A ring through all lines of 128 B of the buffer in random order.
std::vector<unsigned> ring(std::size_t bytes) {
  const std::size_t lines = bytes / 128;
  std::vector<unsigned> order(lines), next(bytes / 4);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  for (std::size_t i = 0; i < lines; ++i) next[order[i] * 32] = order[(i + 1) % lines] * 32;
  return next;
}

void alone() {
  constexpr int count = 1 << 20;
  const DeviceArray<float> value(1);
  volatile float start = 0.5f;
  row("cores", "chain_one_core", "", median_ns([&] {
        float v = start;
        for (int k = 0; k < count; ++k) {
          v = v * 0.999f + 0.001f;
          asm volatile("" : "+x"(v));
        }
        start = v;
      }) / count, "ns");
  row("cores", "chain_gpu_thread", "", median_ns([&] {
        chain_kernel<<<1, 1>>>(value.get(), count);
        check(cudaDeviceSynchronize());
      }) / count, "ns");
  for (const std::size_t bytes : {std::size_t{16} << 10, std::size_t{512} << 20}) {
    const std::vector<unsigned> next = ring(bytes);
    DeviceArray<unsigned> gpu_next(next.size());
    const DeviceArray<unsigned> result(1);
    gpu_next.set(next);
    volatile unsigned at = 0;
    row("cores", "chase_one_core", named("bytes", static_cast<long long>(bytes)), median_ns([&] {
          unsigned here = at;
          for (int k = 0; k < count; ++k) here = next[here];
          at = here;
        }) / count, "ns");
    row("cores", "chase_gpu_thread", named("bytes", static_cast<long long>(bytes)), median_ns([&] {
          chase_kernel<<<1, 1>>>(gpu_next.get(), result.get(), count);
          check(cudaDeviceSynchronize());
        }) / count, "ns");
  }
}

}  // namespace

int main() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) {
      row("cores", "host", line.substr(line.find(':') + 2), omp_get_max_threads(), "cores");
      break;
    }
  alone();
  work("busy", busy_part, busy_kernel);
  work("saxpy", saxpy_part, saxpy_kernel);
}

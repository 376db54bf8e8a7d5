// NVML's utilization for kernels with a duration, a gap and a number of blocks: duty > FILE
//
// Rows `kind,blocks,kernel_us,gap_us,at_ms,value`:
//   busy           share of the time in which a kernel ran, by cudaEvents of sampled kernels, percent
//   utilization    nvmlDeviceGetUtilizationRates().gpu, one reading every 20 ms
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <cuda_runtime.h>
#include <dlfcn.h>

namespace {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

__global__ void spin(unsigned long long ns) {
  unsigned long long now, until;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(until)::"memory");
  until += ns;
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  while (now < until);
}

struct Rates {
  unsigned gpu, memory;
};
struct Nvml {
  void* device = nullptr;
  int (*rates)(void*, Rates*) = nullptr;

  bool open() {
    void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (library == nullptr) return false;
    const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
    const auto handle = reinterpret_cast<int (*)(unsigned, void**)>(dlsym(library, "nvmlDeviceGetHandleByIndex_v2"));
    rates = reinterpret_cast<int (*)(void*, Rates*)>(dlsym(library, "nvmlDeviceGetUtilizationRates"));
    return init != nullptr && handle != nullptr && rates != nullptr && init() == 0 && handle(0, &device) == 0;
  }
};

using Clock = std::chrono::steady_clock;
double ms_since(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

/// Runs kernels of `blocks` blocks and `kernel_us` with `gap_us` between them for `seconds`; prints the readings after
/// `settle` seconds.
void measure(Nvml& nvml, int blocks, int kernel_us, int gap_us, double seconds, double settle) {
  bool stop = false;
  struct Reading {
    double at;
    unsigned utilization;
  };
  std::vector<Reading> readings;
  const auto start = Clock::now();
  std::thread reader([&] {
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
      Rates rates{};
      const double at = ms_since(start);
      if (nvml.rates(nvml.device, &rates) == 0) readings.push_back({at, rates.gpu});
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  cudaEvent_t before, after;
  check(cudaEventCreate(&before));
  check(cudaEventCreate(&after));
  double busy_ms = 0, rounds_ms = 0;
  while (ms_since(start) < seconds * 1000) {
    if (kernel_us == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      continue;
    }
    const auto round = Clock::now();
    const int batch = gap_us > 0 ? 1 : std::max(1, 20000 / kernel_us);  // without a gap: queued back to back
    check(cudaEventRecord(before));
    for (int i = 0; i < batch; ++i) spin<<<blocks, 128>>>(kernel_us * 1000ull);
    check(cudaEventRecord(after));
    check(cudaEventSynchronize(after));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, before, after));
    const auto idle = Clock::now();
    while (ms_since(idle) * 1000 < gap_us)
      if (gap_us > 2000) std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (ms_since(start) > settle * 1000) {
      busy_ms += ms;
      rounds_ms += ms_since(round);
    }
  }
  __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
  reader.join();
  const auto row = [&](const char* kind, double at, double value) {
    std::printf("%s,%d,%d,%d,%.0f,%.2f\n", kind, blocks, kernel_us, gap_us, at, value);
  };
  row("busy", 0, rounds_ms > 0 ? 100 * busy_ms / rounds_ms : 0);
  for (const Reading& one : readings)
    if (one.at > settle * 1000) row("utilization", one.at, one.utilization);
  std::fflush(stdout);
}

}  // namespace

int main() {
  Nvml nvml;
  if (!nvml.open()) {
    std::fprintf(stderr, "NVML was not found\n");
    return 1;
  }
  std::printf("kind,blocks,kernel_us,gap_us,at_ms,value\n");
  measure(nvml, 132, 1000, 0, 1, 0.9);  // clocks rise
  for (const int blocks : {1, 132, 1056}) measure(nvml, blocks, 1000, 0, 2.2, 1.4);
  for (const int gap : {250, 1000, 3000, 9000}) measure(nvml, 1, 1000, gap, 2.2, 1.4);
  measure(nvml, 132, 1000, 3000, 2.2, 1.4);
  measure(nvml, 132, 10, 30, 2.2, 1.4);
  measure(nvml, 132, 100000, 300000, 4, 1.4);
  measure(nvml, 132, 500000, 1500000, 7.5, 1.4);
  measure(nvml, 0, 0, 0, 2.2, 1.4);
}

// How long calls take on the CPU and until the data has arrived: allocation, copies, launches and the kinds of memory
// between CPU and GPU, by size; and the results of the usual mistakes with pointers. Each part and each mistake runs in
// a process of its own, so that one that fails costs no other: host_device NAME runs it alone.
#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>

#include "bench.h"
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr const char* topic = "host_device";

// In place, so that one buffer goes there and comes back.
__global__ void scale_kernel(float* data, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n) data[i] = 2.0f * data[i] + 1.0f;
}

// Only reads `in`: what a kernel does with an input that stays in host memory.
__global__ void read_kernel(const float* in, float* out, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}

__global__ void empty_kernel() {}

void scale(float* data, std::size_t bytes) {
  const std::size_t n = bytes / 4;
  scale_kernel<<<static_cast<unsigned>((n + 255) / 256), 256>>>(data, n);
}

void read(const float* in, float* out, std::size_t bytes) {
  const std::size_t n = bytes / 4;
  read_kernel<<<static_cast<unsigned>((n + 255) / 256), 256>>>(in, out, n);
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Times of one operation in nanoseconds, one per repetition.
struct Times {
  std::vector<double> returned, done, gpu;
};

void print(const char* name, std::size_t bytes, const char* until, std::vector<double> times) {
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  const std::string parameters = named("bytes", static_cast<long long>(bytes)) + " until=" + until;
  row(topic, name, parameters + " take=median", times[times.size() / 2], "ns");
  row(topic, name, parameters + " take=min", times.front(), "ns");
}

void print(const char* name, std::size_t bytes, const Times& times) {
  print(name, bytes, "returned", times.returned);
  print(name, bytes, "done", times.done);
  print(name, bytes, "gpu", times.gpu);
}

int repetitions(std::size_t bytes) { return bytes >= (64u << 20) ? 5 : bytes >= (4u << 20) ? 11 : 51; }

// Runs `call` once and adds its times: until it returned, and until the GPU had finished.
template <class Call>
void add(Times& times, Call&& call) {
  const double start = seconds();
  call();
  const double returned = seconds();
  check(cudaDeviceSynchronize());
  times.returned.push_back((returned - start) * 1e9);
  times.done.push_back((seconds() - start) * 1e9);
}

// The events are recorded in repetitions of their own, because recording takes time too.
template <class Prepare, class Call>
void measure(const char* name, std::size_t bytes, Prepare&& prepare, Call&& call) {
  static cudaEvent_t before = [] {
    cudaEvent_t e;
    check(cudaEventCreate(&e));
    return e;
  }();
  static cudaEvent_t after = [] {
    cudaEvent_t e;
    check(cudaEventCreate(&e));
    return e;
  }();
  Times times;
  for (int i = 0; i < repetitions(bytes) + 2; ++i) {
    prepare();
    check(cudaDeviceSynchronize());
    if (i < 2) {
      call();
      check(cudaDeviceSynchronize());
    } else {
      add(times, call);
    }
  }
  for (int i = 0; i < repetitions(bytes); ++i) {
    prepare();
    check(cudaDeviceSynchronize());
    check(cudaEventRecord(before));
    call();
    check(cudaEventRecord(after));
    check(cudaEventSynchronize(after));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, before, after));
    times.gpu.push_back(ms * 1e6);
  }
  check(cudaGetLastError());
  print(name, bytes, times);
}

// Only the CPU's time, of a pair of calls that make and undo something.
template <class Make, class Undo>
void pair(const char* make_name, const char* undo_name, std::size_t bytes, Make&& make, Undo&& undo) {
  std::vector<double> makes, undoes;
  for (int i = 0; i < repetitions(bytes) + 1; ++i) {
    const double start = seconds();
    make();
    const double made = seconds();
    undo();
    const double undone = seconds();
    if (i == 0) continue;
    makes.push_back((made - start) * 1e9);
    undoes.push_back((undone - made) * 1e9);
  }
  print(make_name, bytes, "returned", makes);
  print(undo_name, bytes, "returned", undoes);
}

void host_write(float* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes / 4; ++i) data[i] = 0.5f;
  asm volatile("" ::"r"(data) : "memory");
}

void host_read(const float* data, std::size_t bytes) {
  std::array<float, 16> sums{};
  for (std::size_t i = 0; i < bytes / 4; i += 16)
    for (std::size_t k = 0; k < 16; ++k) sums[k] += data[i + k];
  asm volatile("" ::"r"(sums.data()) : "memory");
}

void allocations(std::size_t bytes) {
  void* p = nullptr;
  pair(
      "malloc", "free", bytes, [&] { check(cudaMalloc(&p, bytes)); }, [&] { check(cudaFree(p)); });
  pair(
      "malloc_host", "free_host", bytes, [&] { check(cudaMallocHost(&p, bytes)); }, [&] { check(cudaFreeHost(p)); });
  pair(
      "malloc_managed", "free_managed", bytes, [&] { check(cudaMallocManaged(&p, bytes)); },
      [&] { check(cudaFree(p)); });
  pair(
      "malloc_async", "free_async", bytes, [&] { check(cudaMallocAsync(&p, bytes, 0)); },
      [&] { check(cudaFreeAsync(p, 0)); });
  check(cudaDeviceSynchronize());
  cudaMemPool_t pool;
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  check(cudaMemPoolTrimTo(pool, 0));
}

void registrations(std::size_t bytes) {
  void* host = std::aligned_alloc(4096, bytes);
  std::memset(host, 1, bytes);
  pair(
      "host_register", "host_unregister", bytes, [&] { check(cudaHostRegister(host, bytes, cudaHostRegisterDefault)); },
      [&] { check(cudaHostUnregister(host)); });
  std::free(host);
}

void copies_and_kernels(std::size_t bytes) {
  float *device = nullptr, *other = nullptr, *pinned = nullptr;
  check(cudaMalloc(&device, bytes));
  check(cudaMalloc(&other, bytes));
  check(cudaMallocHost(&pinned, bytes));
  auto* pageable = static_cast<float*>(std::aligned_alloc(4096, bytes));
  auto* pageable_too = static_cast<float*>(std::aligned_alloc(4096, bytes));
  host_write(pinned, bytes);
  host_write(pageable, bytes);
  host_write(pageable_too, bytes);
  const auto nothing = [] {};
  const auto to_gpu = [&](const float* from) { check(cudaMemcpy(device, from, bytes, cudaMemcpyHostToDevice)); };
  const auto to_cpu = [&](float* to) { check(cudaMemcpy(to, device, bytes, cudaMemcpyDeviceToHost)); };
  const auto to_gpu_async = [&](const float* from) {
    check(cudaMemcpyAsync(device, from, bytes, cudaMemcpyHostToDevice));
  };
  const auto to_cpu_async = [&](float* to) { check(cudaMemcpyAsync(to, device, bytes, cudaMemcpyDeviceToHost)); };
  measure("h2d_pageable", bytes, nothing, [&] { to_gpu(pageable); });
  measure("h2d_pinned", bytes, nothing, [&] { to_gpu(pinned); });
  measure("d2h_pageable", bytes, nothing, [&] { to_cpu(pageable); });
  measure("d2h_pinned", bytes, nothing, [&] { to_cpu(pinned); });
  measure("h2d_pageable_async", bytes, nothing, [&] { to_gpu_async(pageable); });
  measure("h2d_pinned_async", bytes, nothing, [&] { to_gpu_async(pinned); });
  measure("d2h_pageable_async", bytes, nothing, [&] { to_cpu_async(pageable); });
  measure("d2h_pinned_async", bytes, nothing, [&] { to_cpu_async(pinned); });
  measure("d2d", bytes, nothing, [&] { check(cudaMemcpyAsync(other, device, bytes, cudaMemcpyDeviceToDevice)); });
  measure("kernel", bytes, nothing, [&] { scale(device, bytes); });
  measure("kernel_read", bytes, nothing, [&] { read(device, other, bytes); });
  pair(
      "host_copy", "host_write", bytes, [&] { std::memcpy(pageable_too, pageable, bytes); },
      [&] { host_write(pageable_too, bytes); });
  pair(
      "host_read", "host_write_pinned", bytes, [&] { host_read(pageable, bytes); }, [&] { host_write(pinned, bytes); });

  // Both directions at once.
  cudaStream_t up, down;
  check(cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&down, cudaStreamNonBlocking));
  auto* pinned_too = static_cast<float*>(nullptr);
  check(cudaMallocHost(&pinned_too, bytes));
  host_write(pinned_too, bytes);
  Times both;
  for (int i = 0; i < repetitions(bytes); ++i)
    add(both, [&] {
      check(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, up));
      check(cudaMemcpyAsync(pinned_too, other, bytes, cudaMemcpyDeviceToHost, down));
    });
  print("both_ways_pinned", bytes, both);
  check(cudaStreamDestroy(up));
  check(cudaStreamDestroy(down));

  check(cudaFreeHost(pinned_too));
  check(cudaFreeHost(pinned));
  check(cudaFree(device));
  check(cudaFree(other));
  std::free(pageable);
  std::free(pageable_too);
}

// Mapped: with one address space the pinned pointer is valid on the GPU.
void mapped(std::size_t bytes) {
  float *pinned = nullptr, *out = nullptr;
  check(cudaMalloc(&out, bytes));
  check(cudaMallocHost(&pinned, bytes));
  host_write(pinned, bytes);
  measure(
      "kernel_mapped", bytes, [] {}, [&] { scale(pinned, bytes); });
  measure(
      "kernel_read_mapped", bytes, [] {}, [&] { read(pinned, out, bytes); });
  check(cudaFreeHost(pinned));
  check(cudaFree(out));
}

#if CUDART_VERSION >= 13000
void prefetch(const void* data, std::size_t bytes, bool to_gpu) {
  const cudaMemLocation place{to_gpu ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost, 0};
  check(cudaMemPrefetchAsync(data, bytes, place, 0));
}
void advise_read_mostly(const void* data, std::size_t bytes) {
  check(cudaMemAdvise(data, bytes, cudaMemAdviseSetReadMostly, cudaMemLocation{cudaMemLocationTypeDevice, 0}));
}
#else
void prefetch(const void* data, std::size_t bytes, bool to_gpu) {
  check(cudaMemPrefetchAsync(data, bytes, to_gpu ? 0 : cudaCpuDeviceId, 0));
}
void advise_read_mostly(const void* data, std::size_t bytes) {
  check(cudaMemAdvise(data, bytes, cudaMemAdviseSetReadMostly, 0));
}
#endif

// One round is a program: write on the CPU, run on the GPU, read on the CPU; then the same with prefetches.
void managed(std::size_t bytes) {
  Times populate, first, second, read_back, to_gpu, after_prefetch, to_cpu, read_prefetched, write_back, mostly_first,
      mostly_second, mostly_read;
  const auto cpu = [](Times& times, auto&& work) {
    const double start = seconds();
    work();
    times.returned.push_back((seconds() - start) * 1e9);
  };
  const int rounds = bytes >= (64u << 20) ? 3 : bytes >= (4u << 20) ? 7 : 21;
  float* out = nullptr;
  check(cudaMalloc(&out, bytes));
  for (int round = 0; round < rounds; ++round) {
    float* data = nullptr;
    check(cudaMallocManaged(&data, bytes));
    cpu(populate, [&] { host_write(data, bytes); });
    add(first, [&] { scale(data, bytes); });
    add(second, [&] { scale(data, bytes); });
    cpu(read_back, [&] { host_read(data, bytes); });
    add(to_gpu, [&] { prefetch(data, bytes, true); });
    add(after_prefetch, [&] { scale(data, bytes); });
    add(to_cpu, [&] { prefetch(data, bytes, false); });
    cpu(read_prefetched, [&] { host_read(data, bytes); });
    scale(data, bytes);
    check(cudaDeviceSynchronize());
    cpu(write_back, [&] { host_write(data, bytes); });
    // Read-mostly: a reader gets a copy of the page, so the other side keeps its own.
    advise_read_mostly(data, bytes);
    add(mostly_first, [&] { read(data, out, bytes); });
    add(mostly_second, [&] { read(data, out, bytes); });
    cpu(mostly_read, [&] { host_read(data, bytes); });
    check(cudaFree(data));
  }
  check(cudaFree(out));
  print("managed_populate", bytes, populate);
  print("managed_kernel_first", bytes, first);
  print("managed_kernel_second", bytes, second);
  print("managed_host_read", bytes, read_back);
  print("managed_prefetch_gpu", bytes, to_gpu);
  print("managed_kernel_prefetched", bytes, after_prefetch);
  print("managed_prefetch_cpu", bytes, to_cpu);
  print("managed_host_read_prefetched", bytes, read_prefetched);
  print("managed_host_write", bytes, write_back);
  print("managed_read_mostly_first", bytes, mostly_first);
  print("managed_read_mostly_second", bytes, mostly_second);
  print("managed_read_mostly_host", bytes, mostly_read);
}

// Memory of malloc() used by a kernel, if the platform allows it.
void system_memory(std::size_t bytes) {
  Times first, second;
  for (int round = 0; round < (bytes >= (64u << 20) ? 3 : 7); ++round) {
    auto* data = static_cast<float*>(std::aligned_alloc(4096, bytes));
    host_write(data, bytes);
    add(first, [&] { scale(data, bytes); });
    add(second, [&] { scale(data, bytes); });
    check(cudaGetLastError());
    std::free(data);
  }
  print("system_kernel_first", bytes, first);
  print("system_kernel_second", bytes, second);
}

// The first line of a command's output; commas would end the cell.
std::string output_of(const std::string& command) {
  std::string line;
  if (FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r")) {
    std::array<char, 512> text{};
    if (std::fgets(text.data(), text.size(), pipe)) line = text.data();
    pclose(pipe);
  }
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  std::replace(line.begin(), line.end(), ',', ';');
  return line;
}

std::string queried(const char* field) {
  const std::string value =
      output_of(std::string("nvidia-smi -i 0 --format=csv,noheader,nounits --query-gpu=") + field);
  return value.empty() || value.find(' ') == 0 ? "unknown" : value;
}

void machine() {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  row(topic, "gpu", device.name, device.multiProcessorCount, "SMs");
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) {
      row(topic, "cpu", output_of("echo '" + line.substr(line.find(':') + 2) + "'"), sysconf(_SC_NPROCESSORS_ONLN),
          "cores");
      break;
    }
  int runtime = 0, driver = 0;
  check(cudaRuntimeGetVersion(&runtime));
  check(cudaDriverGetVersion(&driver));
  row(topic, "driver", queried("driver_version"), driver, "version");
  row(topic, "cuda", std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10), runtime, "version");
  row(topic, "pcie_generation", queried("pcie.link.gen.current"), std::atof(queried("pcie.link.gen.max").c_str()),
      "max");
  row(topic, "pcie_width", queried("pcie.link.width.current"), std::atof(queried("pcie.link.width.max").c_str()),
      "max");
  const auto attribute = [&](const char* name, cudaDeviceAttr which) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, 0));
    row(topic, name, "", value, "attribute");
    return value;
  };
  attribute("asyncEngineCount", cudaDevAttrAsyncEngineCount);
  attribute("unifiedAddressing", cudaDevAttrUnifiedAddressing);
  attribute("canMapHostMemory", cudaDevAttrCanMapHostMemory);
  attribute("managedMemory", cudaDevAttrManagedMemory);
  attribute("concurrentManagedAccess", cudaDevAttrConcurrentManagedAccess);
  attribute("pageableMemoryAccess", cudaDevAttrPageableMemoryAccess);
  attribute("pageableMemoryAccessUsesHostPageTables", cudaDevAttrPageableMemoryAccessUsesHostPageTables);
  attribute("directManagedMemAccessFromHost", cudaDevAttrDirectManagedMemAccessFromHost);
}

// Mistakes: each prints the name of the error that CUDA reports, or what else is seen.
using Mistake = std::function<std::string()>;

std::string after_kernel(float* data, std::size_t bytes) {
  scale(data, bytes);
  const cudaError_t launched = cudaGetLastError();
  if (launched != cudaSuccess) return cudaGetErrorName(launched);
  return cudaGetErrorName(cudaDeviceSynchronize());
}

const std::vector<std::pair<std::string, Mistake>>& mistakes() {
  static const std::vector<std::pair<std::string, Mistake>> all = {
      {"use_after_free_large",
       [] {
         float* data = nullptr;
         check(cudaMalloc(&data, 64u << 20));
         check(cudaFree(data));
         return after_kernel(data, 64u << 20);
       }},
      {"use_after_free_small",
       [] {
         // The neighbour keeps the 2 MiB page that both were cut from.
         float *neighbour = nullptr, *data = nullptr;
         check(cudaMalloc(&neighbour, 4096));
         check(cudaMalloc(&data, 4096));
         check(cudaFree(data));
         return after_kernel(data, 4096);
       }},
      {"past_the_end_small",
       [] {
         float* data = nullptr;
         check(cudaMalloc(&data, 4096));
         return after_kernel(data, 8192);
       }},
      {"past_the_end_large",
       [] {
         float* data = nullptr;
         check(cudaMalloc(&data, 64u << 20));
         return after_kernel(data, 256u << 20);
       }},
      {"free_twice",
       [] {
         float* data = nullptr;
         check(cudaMalloc(&data, 4096));
         check(cudaFree(data));
         return std::string(cudaGetErrorName(cudaFree(data)));
       }},
      {"free_inside",
       [] {
         char* data = nullptr;
         check(cudaMalloc(&data, 4096));
         return std::string(cudaGetErrorName(cudaFree(data + 256)));
       }},
      {"copy_from_freed",
       [] {
         float *data = nullptr, value[1024];
         check(cudaMalloc(&data, 64u << 20));
         check(cudaFree(data));
         return std::string(cudaGetErrorName(cudaMemcpy(value, data, sizeof value, cudaMemcpyDeviceToHost)));
       }},
      {"copy_wrong_direction",
       [] {
         std::vector<float> host(1024);
         float* data = nullptr;
         check(cudaMalloc(&data, 4096));
         return std::string(cudaGetErrorName(cudaMemcpy(data, host.data(), 4096, cudaMemcpyDeviceToHost)));
       }},
      {"host_pointer_in_kernel",
       [] {
         auto* data = static_cast<float*>(std::aligned_alloc(4096, 4096));
         host_write(data, 4096);
         return after_kernel(data, 4096);
       }},
      {"device_pointer_on_host",
       [] {
         float* data = nullptr;
         check(cudaMalloc(&data, 4096));
         data[0] = 1;
         return std::string("no error");
       }},
      {"call_after_error",
       [] {
         // The context keeps the error: a call that is right fails too.
         float *data = nullptr, *fresh = nullptr;
         check(cudaMalloc(&data, 64u << 20));
         check(cudaFree(data));
         after_kernel(data, 64u << 20);
         return std::string(cudaGetErrorName(cudaMalloc(&fresh, 4096)));
       }},
      {"malloc_too_much",
       [] {
         void* data = nullptr;
         return std::string(cudaGetErrorName(cudaMalloc(&data, std::size_t(1) << 40)));
       }},
      {"read_before_sync",
       [] {
         // A long kernel is still running when the CPU looks at pinned memory that it writes to.
         constexpr std::size_t bytes = 64u << 20;
         float* pinned = nullptr;
         check(cudaMallocHost(&pinned, bytes));
         host_write(pinned, bytes);
         scale(pinned, bytes);
         const float early = static_cast<volatile float*>(pinned)[bytes / 4 - 1];
         check(cudaDeviceSynchronize());
         const float late = static_cast<volatile float*>(pinned)[bytes / 4 - 1];
         return std::string(early == late ? "the new value" : "the old value");
       }},
      {"forgotten_free",
       [] {
         // The free memory after 100 forgotten allocations of 1 MiB.
         std::size_t before = 0, after = 0, total = 0;
         check(cudaFree(nullptr));
         check(cudaMemGetInfo(&before, &total));
         for (int i = 0; i < 100; ++i) {
           void* data = nullptr;
           check(cudaMalloc(&data, 1u << 20));
         }
         check(cudaMemGetInfo(&after, &total));
         return std::to_string((before - after) >> 20) + " MiB fewer";
       }},
  };
  return all;
}

// Runs this program with an argument and returns how it ended: the exit status, or 128 + the signal.
int run_self(const std::string& program, const std::string& name, std::string* first_line) {
  std::fflush(stdout);
  const std::string command = "timeout 40 '" + program + "' " + name + (first_line ? " 2>/dev/null" : "");
  int status = 0;
  if (!first_line) {
    status = std::system(command.c_str());
  } else if (FILE* pipe = popen(command.c_str(), "r")) {
    std::array<char, 256> line{};
    if (std::fgets(line.data(), line.size(), pipe)) *first_line = line.data();
    while (!first_line->empty() && first_line->back() == '\n') first_line->pop_back();
    status = pclose(pipe);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void overheads(std::size_t) {
  const double start = seconds();
  check(cudaFree(nullptr));
  print("first_call", 0, "returned", {(seconds() - start) * 1e9});
  machine();
  measure(
      "launch_empty", 0, [] {}, [] { empty_kernel<<<1, 1>>>(); });
  measure(
      "synchronize", 0, [] {}, [] { check(cudaDeviceSynchronize()); });
}

struct Part {
  const char* name;
  void (*run)(std::size_t bytes);
  bool by_size = true;
  cudaDeviceAttr needs = cudaDevAttrMaxThreadsPerBlock;
};

constexpr Part parts[] = {{"overheads", overheads, false},
                          {"allocations", allocations},
                          {"registrations", registrations},
                          {"copies_and_kernels", copies_and_kernels},
                          {"mapped", mapped},
                          {"managed", managed, true, cudaDevAttrConcurrentManagedAccess},
                          {"system_memory", system_memory, true, cudaDevAttrPageableMemoryAccess}};

// Whether there is a part or a mistake of this name.
bool run_alone(const std::string& name) {
  for (const Part& part : parts) {
    if (name != part.name) continue;
    int able = 1;
    if (part.by_size) check(cudaDeviceGetAttribute(&able, part.needs, 0));
    for (std::size_t bytes = 4096; able && bytes <= (std::size_t(1) << 30); bytes *= 4) {
      part.run(bytes);
      std::fflush(stdout);
      if (!part.by_size) break;
    }
    return true;
  }
  for (const auto& [mistake, make] : mistakes()) {
    if (name != mistake) continue;
    std::puts(make().c_str());
    return true;
  }
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) {
    if (run_alone(arguments[1])) return 0;
    std::fprintf(stderr, "%s: no such part\n", arguments[1]);
    return 2;
  }
  const std::string program = output_of("readlink -f /proc/" + std::to_string(getpid()) + "/exe");
  for (const Part& part : parts)
    if (const int code = run_self(program, part.name, nullptr))
      std::fprintf(stderr, "%s: status %d\n", part.name, code);
  for (const auto& [name, mistake] : mistakes()) {
    std::string text;
    const int code = run_self(program, name, &text);
    if (text.empty() && code > 128) text = strsignal(code - 128);
    row(topic, "mistake_" + name, text.empty() ? "nothing" : text, code, "exit status");
  }
}

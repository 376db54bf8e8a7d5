// NVIDIA's headers are not needed: the few functions and structs are declared here as in the NVML API reference.
#include "instrumentation/nvml.h"

#include <array>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/platform/process_name.h"

namespace warpwalk::instrumentation {
namespace {

// nvmlReturn_t.
constexpr int success = 0;
constexpr int insufficient_size = 7;
// nvmlClockType_t.
constexpr int clock_sm = 1;
constexpr int clock_memory = 2;
// nvmlTemperatureSensors_t.
constexpr int sensor_gpu = 0;
// NVML_VALUE_NOT_AVAILABLE.
constexpr std::uint64_t not_available = ~std::uint64_t{0};

}  // namespace

struct Nvml::Functions {
  // Not in a namespace without a name: GCC 13 fails on members of such types in a file that another one includes.
  using Device = void*;
  struct Utilization {
    unsigned gpu, memory;
  };
  struct Memory {
    unsigned long long total, free, used;
  };
  struct ProcessInfo {
    unsigned pid;
    unsigned long long used;
    unsigned gpu_instance, compute_instance;
  };

  void* library = nullptr;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*get_count)(unsigned*) = nullptr;
  int (*get_device)(unsigned, Device*) = nullptr;
  int (*get_name)(Device, char*, unsigned) = nullptr;
  int (*get_utilization)(Device, Utilization*) = nullptr;
  int (*get_memory)(Device, Memory*) = nullptr;
  int (*get_clock)(Device, int, unsigned*) = nullptr;
  int (*get_power)(Device, unsigned*) = nullptr;
  int (*get_power_limit)(Device, unsigned*) = nullptr;  // null in very old drivers
  int (*get_temperature)(Device, int, unsigned*) = nullptr;
  int (*get_processes)(Device, unsigned*, ProcessInfo*) = nullptr;  // null before driver 510

  template <class Function>
  bool find(const char* name, Function*& out) {
    out = reinterpret_cast<Function*>(dlsym(library, name));
    return out != nullptr;
  }
  bool find_all() {
    find("nvmlDeviceGetComputeRunningProcesses_v3", get_processes);
    find("nvmlDeviceGetEnforcedPowerLimit", get_power_limit);
    return find("nvmlInit_v2", init) && find("nvmlShutdown", shutdown) && find("nvmlErrorString", error_string) &&
           find("nvmlDeviceGetCount_v2", get_count) && find("nvmlDeviceGetHandleByIndex_v2", get_device) &&
           find("nvmlDeviceGetName", get_name) && find("nvmlDeviceGetUtilizationRates", get_utilization) &&
           find("nvmlDeviceGetMemoryInfo", get_memory) && find("nvmlDeviceGetClockInfo", get_clock) &&
           find("nvmlDeviceGetPowerUsage", get_power) && find("nvmlDeviceGetTemperature", get_temperature);
  }
  std::vector<GpuProcess> processes(Device device) const;
  GpuSample sample(Device device) const;
};

base::Result<std::unique_ptr<Nvml>> Nvml::open(const std::string& library) {
  auto functions = std::make_unique<Functions>();
  functions->library = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (functions->library == nullptr)
    return base::Error{fmt::format("{} was not found; it comes with NVIDIA's driver", library)};
  if (!functions->find_all())
    return base::Error{fmt::format("{} lacks functions of NVML; install a newer NVIDIA driver", library)};
  if (const int status = functions->init(); status != success)
    return base::Error{fmt::format("{}: {} (error {})", library, functions->error_string(status), status)};
  return std::unique_ptr<Nvml>(new Nvml(std::move(functions)));
}

Nvml::Nvml(std::unique_ptr<Functions> functions) : functions_(std::move(functions)) {}

// The library stays loaded: NVIDIA's libraries do not support unloading.
Nvml::~Nvml() { functions_->shutdown(); }

std::vector<GpuProcess> Nvml::Functions::processes(Device device) const {
  if (get_processes == nullptr) return {};
  std::vector<ProcessInfo> rows(16);
  for (;;) {
    auto count = static_cast<unsigned>(rows.size());
    const int status = get_processes(device, &count, rows.data());
    constexpr unsigned max_processes = 1u << 16;
    if (status == insufficient_size && count < max_processes) {
      rows.resize(count + std::size_t{8});  // more processes may have started since
      continue;
    }
    std::vector<GpuProcess> out;
    for (unsigned i = 0; status == success && i < count && i < rows.size(); ++i)
      out.push_back({rows[i].pid, platform::process_name(rows[i].pid),
                     rows[i].used == not_available ? std::nullopt : std::optional(std::uint64_t{rows[i].used})});
    return out;
  }
}

GpuSample Nvml::Functions::sample(Device device) const {
  GpuSample out;
  std::array<char, 96> name{};  // NVML_DEVICE_NAME_V2_BUFFER_SIZE
  if (get_name(device, name.data(), static_cast<unsigned>(name.size() - 1)) == success) out.name = name.data();
  if (Utilization busy{}; get_utilization(device, &busy) == success) {
    out.busy_pct = busy.gpu;
    out.memory_busy_pct = busy.memory;
  }
  if (Memory memory{}; get_memory(device, &memory) == success) {
    out.memory_used = memory.used;
    out.memory_free = memory.free;
    out.memory_total = memory.total;
  }
  const auto query = [](std::optional<std::uint32_t>& value, auto call) {
    unsigned number = 0;
    if (call(&number) == success) value = number;
  };
  query(out.sm_clock_mhz, [&](unsigned* to) { return get_clock(device, clock_sm, to); });
  query(out.memory_clock_mhz, [&](unsigned* to) { return get_clock(device, clock_memory, to); });
  query(out.power_mw, [&](unsigned* to) { return get_power(device, to); });
  if (get_power_limit != nullptr) query(out.power_limit_mw, [&](unsigned* to) { return get_power_limit(device, to); });
  query(out.temperature_c, [&](unsigned* to) { return get_temperature(device, sensor_gpu, to); });
  out.processes = processes(device);
  return out;
}

std::vector<GpuSample> Nvml::sample() const {
  std::vector<GpuSample> out;
  unsigned count = 0;
  if (functions_->get_count(&count) != success) return out;
  for (unsigned index = 0; index < count; ++index)
    if (Functions::Device device = nullptr; functions_->get_device(index, &device) == success)
      out.push_back(functions_->sample(device));
  return out;
}

}  // namespace warpwalk::instrumentation

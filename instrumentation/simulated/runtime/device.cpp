// Device management: cudaGetDevice..., cudaDevice...
#include <algorithm>
#include <cstring>
#include <string_view>

#include "instrumentation/simulated/device/device_attributes.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/pool.h"
#include "instrumentation/simulated/runtime/registry.h"
#include "instrumentation/simulated/runtime/settings.h"
#include "instrumentation/simulated/runtime/version.h"

namespace warpwalk::simulated {
namespace {

constexpr unsigned schedule_flags = 0x07, map_host = 0x08, device_flags = 0xff;

bool are_device_flags(unsigned flags) {
  const unsigned schedule = flags & schedule_flags;
  return (flags & ~device_flags) == 0 && (schedule & (schedule - 1)) == 0;
}

/// cudaDeviceReset. Memory of variables goes with its modules.
void free_everything(Gpu& gpu) {
  gpu.queue.wait_all();
  gpu.flush_printf();
  if (gpu.checks != nullptr) gpu.checks->report_leaks("before cudaDeviceReset");
  registry().unload_all();
  gpu.streams.reset();
  gpu.textures.reset();
  pools().reset();
  for (const DeviceMemory::Place& place : gpu.memory.all()) {
    if (place->kind == MemoryKind::variable) continue;
    gpu.memory.free(place->address);
  }
  device_settings().reset();
  gpu.queue.reset();
  gpu.drop_heap();
}

}  // namespace

void DeviceSettings::reset() {
  std::ranges::copy(initial_limits, limits.begin());
  cache = 0;
  shared_banks = 0;
  flags = 0;
}

DeviceSettings& device_settings() {
  static auto& settings = *new DeviceSettings;
  return settings;
}

extern "C" {

Error cudaGetDeviceCount(int* count) {
  return runtime_call("cudaGetDeviceCount", [&](Gpu&) {
    if (count == nullptr) return Error::invalid_value;
    *count = 1;
    return Error::success;
  });
}

Error cudaGetDevice(int* device) {
  return runtime_call("cudaGetDevice", [&](Gpu&) {
    if (device == nullptr) return Error::invalid_value;
    *device = 0;
    return Error::success;
  });
}

Error cudaSetDevice(int device) {
  return runtime_call("cudaSetDevice", [&](Gpu&) { return check_device(device); });
}

Error cudaInitDevice(int device, unsigned flags, unsigned what) {
  return runtime_call("cudaInitDevice", [&](Gpu&) {
    constexpr unsigned flags_are_valid = 1;
    if (what > flags_are_valid || !are_device_flags(flags)) return Error::invalid_value;
    if (device == 0 && what == flags_are_valid) device_settings().flags = flags;
    return check_device(device);
  });
}

Error cudaSetValidDevices(const int* devices, int count) {
  return runtime_call("cudaSetValidDevices", [&](Gpu&) {
    if (devices == nullptr || count < 0 || count > 1) return Error::invalid_value;
    return count == 0 ? Error::success : check_device(devices[0]);
  });
}

Error cudaChooseDevice(int* device, const void* properties) {
  return runtime_call("cudaChooseDevice", [&](Gpu&) {
    if (device == nullptr || properties == nullptr) return Error::invalid_value;
    *device = 0;
    return Error::success;
  });
}

Error cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return runtime_call("cudaDeviceGetAttribute", [&](Gpu& gpu) {
    if (value == nullptr) return Error::invalid_value;
    if (device != 0) return Error::invalid_device;
    const auto known = device_attribute(gpu.device, attribute);
    if (!known) return Error::invalid_value;
    *value = *known;
    return Error::success;
  });
}

Error cudaSetDeviceFlags(unsigned flags) {
  return runtime_call("cudaSetDeviceFlags", [&](Gpu&) {
    if (!are_device_flags(flags)) return Error::invalid_value;
    device_settings().flags = flags;
    return Error::success;
  });
}

Error cudaGetDeviceFlags(unsigned* flags) {
  return runtime_call("cudaGetDeviceFlags", [&](Gpu&) {
    if (flags == nullptr) return Error::invalid_value;
    *flags = device_settings().flags | map_host;
    return Error::success;
  });
}

Error cudaDeviceReset() {
  return runtime_call("cudaDeviceReset", [](Gpu& gpu) {
    free_everything(gpu);
    return Error::success;
  });
}

Error cudaDeviceSynchronize() {
  return runtime_call("cudaDeviceSynchronize", [](Gpu& gpu) { return gpu.synchronize(); });
}

Error cudaDeviceSetLimit(int limit, std::size_t value) {
  return runtime_call("cudaDeviceSetLimit", [&](Gpu& gpu) {
    constexpr int heap_size = 2, sync_depth = 3, l2_granularity = 5, persisting_l2 = 6;
    if (limit < 0 || limit >= static_cast<int>(DeviceSettings::limit_count)) return Error::invalid_value;
    if (limit == sync_depth) return Error::unsupported_limit;
    constexpr std::size_t largest_granularity = 128;
    if (limit == l2_granularity && value > largest_granularity) return Error::invalid_value;
    if (limit == persisting_l2) {
      constexpr int largest_persisting = 108;
      value = std::min(value, static_cast<std::size_t>(device_attribute(gpu.device, largest_persisting).value_or(0)));
    }
    if (limit == heap_size)
      if (const Error wrong = gpu.set_heap_bytes(value); wrong != Error::success) return wrong;
    device_settings().limits[static_cast<std::size_t>(limit)] = value;
    return Error::success;
  });
}

Error cudaDeviceGetLimit(std::size_t* value, int limit) {
  return runtime_call("cudaDeviceGetLimit", [&](Gpu&) {
    constexpr int sync_depth = 3;
    if (value == nullptr || limit < 0 || limit >= static_cast<int>(DeviceSettings::limit_count))
      return Error::invalid_value;
    if (limit == sync_depth) return Error::unsupported_limit;
    *value = device_settings().limits[static_cast<std::size_t>(limit)];
    return Error::success;
  });
}

Error cudaDeviceGetCacheConfig(int* cache) {
  return runtime_call("cudaDeviceGetCacheConfig", [&](Gpu&) {
    if (cache == nullptr) return Error::invalid_value;
    *cache = device_settings().cache;
    return Error::success;
  });
}

Error cudaDeviceSetCacheConfig(int cache) {
  return runtime_call("cudaDeviceSetCacheConfig", [&](Gpu&) {
    constexpr int prefer_equal = 3;
    if (cache < 0 || cache > prefer_equal) return Error::invalid_value;
    device_settings().cache = cache;
    return Error::success;
  });
}

/// GPUs since compute capability 5.0 have banks of 4 bytes and ignore this setting.
Error cudaDeviceGetSharedMemConfig(int* banks) {
  return runtime_call("cudaDeviceGetSharedMemConfig", [&](Gpu&) {
    constexpr int four_bytes = 1;
    if (banks == nullptr) return Error::invalid_value;
    *banks = four_bytes;
    return Error::success;
  });
}

Error cudaDeviceSetSharedMemConfig(int banks) {
  return runtime_call("cudaDeviceSetSharedMemConfig", [&](Gpu&) {
    constexpr int eight_bytes = 2;
    return banks < 0 || banks > eight_bytes ? Error::invalid_value : Error::success;
  });
}

Error cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return runtime_call("cudaDeviceGetStreamPriorityRange", [&](Gpu&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return Error::success;
  });
}

Error cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return runtime_call("cudaDeviceGetPCIBusId", [&](Gpu&) {
    const std::string_view id = pci_bus_id;
    if (text == nullptr || length <= static_cast<int>(id.size())) return Error::invalid_value;
    if (device != 0) return Error::invalid_device;
    std::memcpy(text, pci_bus_id, id.size() + 1);
    return Error::success;
  });
}

Error cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return runtime_call("cudaDeviceGetByPCIBusId", [&](Gpu&) {
    if (device == nullptr || text == nullptr) return Error::invalid_value;
    // "[domain]:[bus]:[device].[function]", "[domain]:[bus]:[device]" or "[bus]:[device].[function]"
    const std::string_view id = pci_bus_id, asked = text;
    constexpr std::size_t domain = 5, function = 2;
    if (asked != id && asked != id.substr(0, id.size() - function) && asked != id.substr(domain))
      return Error::invalid_device;
    *device = 0;
    return Error::success;
  });
}

Error cudaCtxResetPersistingL2Cache() {
  return runtime_call("cudaCtxResetPersistingL2Cache", [](Gpu&) { return Error::success; });
}

Error cudaDriverGetVersion(int* version) {
  return runtime_call("cudaDriverGetVersion", [&](Gpu&) {
    constexpr int driver_version = 13000;
    if (version == nullptr) return Error::invalid_value;
    *version = driver_version;
    return Error::success;
  });
}

Error cudaRuntimeGetVersion(int* version) {
  return runtime_call("cudaRuntimeGetVersion", [&](Gpu&) {
    if (version == nullptr) return Error::invalid_value;
    *version = runtime_version;
    return Error::success;
  });
}

Error cudaProfilerStart() {
  return runtime_call("cudaProfilerStart", [](Gpu&) { return Error::success; });
}

Error cudaProfilerStop() {
  return runtime_call("cudaProfilerStop", [](Gpu&) { return Error::success; });
}

}  // extern "C"

}  // namespace warpwalk::simulated

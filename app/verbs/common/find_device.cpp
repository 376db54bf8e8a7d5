#include "app/verbs/common/find_device.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/verbs/common/assets.h"
#include "core/gpu/device/device_file.h"

namespace warpwalk::verbs {

base::Result<std::filesystem::path> find_device_file(const std::string& name) {
  std::filesystem::path file = name;
  if (name.find('/') == std::string::npos && !name.ends_with(".json")) {
    const auto assets = find_assets();
    if (!assets)
      return base::Error{"--gpu: the folder of GPU descriptions was not found; set WARPWALK_ASSETS, or give a file"};
    file = *assets / "devices" / (name + ".json");
    if (std::error_code error; name.empty() || !std::filesystem::exists(file, error))
      return base::Error{fmt::format("--gpu {}: unknown GPU; use one of {}, or give a file", name,
                                     fmt::join(gpu::device_ids(*assets / "devices"), ", "))};
  }
  return file;
}

base::Result<gpu::Device> find_device(const std::string& name) {
  const auto file = find_device_file(name);
  if (!file) return base::Error{file.error()};
  return gpu::load_device(*file);
}

std::vector<gpu::Device> described_devices() {
  std::vector<gpu::Device> devices;
  const auto assets = find_assets();
  if (!assets) return devices;
  for (const std::string& id : gpu::device_ids(*assets / "devices"))
    if (auto device = gpu::load_device(*assets / "devices" / (id + ".json"))) devices.push_back(*std::move(device));
  return devices;
}

int host_threads(int asked) {
  return asked > 0 ? asked : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace warpwalk::verbs

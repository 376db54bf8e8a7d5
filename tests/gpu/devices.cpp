#include "tests/gpu/devices.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"

namespace warpwalk::gpu {

std::filesystem::path devices_folder() { return std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/devices"; }

Device shipped(std::string_view id) {
  auto device = load_device(devices_folder() / (std::string(id) + ".json"));
  EXPECT_TRUE(device) << device.error();
  return *std::move(device);
}

std::vector<RecordedLaunch> recorded(std::string_view name) {
  const auto file = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/gpu/data" / name;
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::vector<RecordedLaunch> launches;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string block, smids;
    RecordedLaunch launch;
    if (!(words >> block >> launch.threads >> smids) || block != "block") continue;
    for (int sm = 0; words >> sm;) launch.sms.push_back(static_cast<SmId>(sm));
    launches.push_back(std::move(launch));
  }
  return launches;
}

}  // namespace warpwalk::gpu

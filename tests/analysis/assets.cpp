#include "tests/analysis/assets.h"

#include <filesystem>
#include <utility>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"

namespace warpwalk::analysis {

const words::Narration& english() {
  static const words::Narration narration = [] {
    auto read = words::Narration::load(WARPWALK_SOURCE_DIR "/assets/narration/en");
    EXPECT_TRUE(read) << read.error();
    return *std::move(read);
  }();
  return narration;
}

const std::vector<gpu::Device>& devices() {
  static const std::vector<gpu::Device> all = [] {
    const std::filesystem::path folder = WARPWALK_SOURCE_DIR "/assets/devices";
    std::vector<gpu::Device> read;
    for (const std::string& id : gpu::device_ids(folder)) {
      auto device = gpu::load_device(folder / (id + ".json"));
      EXPECT_TRUE(device) << device.error();
      read.push_back(*std::move(device));
    }
    return read;
  }();
  return all;
}

const gpu::Device& device_named(std::string_view id) {
  for (const gpu::Device& device : devices())
    if (device.id == id) return device;
  ADD_FAILURE() << id;
  return devices().front();
}

}  // namespace warpwalk::analysis

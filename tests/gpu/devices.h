#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/device/sm_layout.h"

namespace warpwalk::gpu {

/// Returns a shipped description; the test fails if it does not load.
Device shipped(std::string_view id);
std::filesystem::path devices_folder();

/// The SM of each block.
using Sms = std::vector<SmId>;

/// One launch of a recorded placement file.
struct RecordedLaunch {
  std::int64_t threads = 0;
  Sms sms;
};
/// Returns the launches of tests/gpu/data/NAME in file order.
std::vector<RecordedLaunch> recorded(std::string_view name);

}  // namespace warpwalk::gpu

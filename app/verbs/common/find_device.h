#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/device/device.h"

namespace warpwalk::verbs {

/// The device of --gpu: an id in assets/devices, or a description's file.
base::Result<gpu::Device> find_device(const std::string& name);

/// The description's file of such a device.
base::Result<std::filesystem::path> find_device_file(const std::string& name);

/// The descriptions in assets/devices; none without the assets.
std::vector<gpu::Device> described_devices();

/// The number of host threads for --threads; 0 means one per hardware thread.
int host_threads(int asked);

}  // namespace warpwalk::verbs

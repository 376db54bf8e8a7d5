#pragma once

#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/words/narration.h"

namespace warpwalk::analysis {

/// The narration as it is delivered.
const words::Narration& english();
/// The descriptions of GPUs as they are delivered.
const std::vector<gpu::Device>& devices();
/// One of them; a missing one is a test failure.
const gpu::Device& device_named(std::string_view id);

}  // namespace warpwalk::analysis

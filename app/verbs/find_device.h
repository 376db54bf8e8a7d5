#pragma once

#include <string>
#include <variant>

#include "core/gpu/device/device.h"

namespace warpwalk::verbs {

/// The device of --gpu: an id of assets/devices, or a description's file. The error is one line.
std::variant<gpu::Device, std::string> find_device(const std::string& name);

/// The host threads that --threads asks for; 0 is as many as the machine has.
int host_threads(int asked);

}  // namespace warpwalk::verbs

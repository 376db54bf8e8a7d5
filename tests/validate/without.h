#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"

namespace warpwalk::validate {

/// A parameter of the timing model that can be made ineffective, to see what it contributes.
struct Without {
  std::string name;
  std::string meaning;  ///< what remains, e.g. "no latency", "no limit"
};

/// All of them, in the order of gpu::parameter_infos().
std::vector<Without> withouts();

/// Makes a parameter of the device ineffective. Returns a one-line error if it is none of withouts().
std::optional<std::string> leave_out(gpu::Device& device, std::string_view name);

}  // namespace warpwalk::validate

#pragma once

#include <string_view>

namespace warpwalk::run {

/// As kernel records name it.
inline constexpr std::string_view simulator_version = "0.1.0";

}  // namespace warpwalk::run

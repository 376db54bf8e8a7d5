#pragma once

#include <string_view>

namespace warpwalk::run {

/// The simulator version stored in kernel records.
inline constexpr std::string_view simulator_version = "0.1.0";

}  // namespace warpwalk::run

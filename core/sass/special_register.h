#pragma once

#include <cstdint>
#include <string>

#include "core/sass/architecture.h"

namespace warpwalk::sass {

// Numbers of the special registers that kernels commonly read with S2R, S2UR and CS2R.
constexpr std::uint8_t special_lane_id = 0;
constexpr std::uint8_t special_tid_x = 33;    ///< then y and z
constexpr std::uint8_t special_ctaid_x = 37;  ///< then y and z
constexpr std::uint8_t special_clock_low = 80;
constexpr std::uint8_t special_zero = 255;  ///< SRZ: reads as 0

/// The name of a special register: "SR_TID.X" for 33. A number without a name is written as "SR36".
std::string special_register_name(Architecture architecture, std::uint8_t number);

}  // namespace warpwalk::sass

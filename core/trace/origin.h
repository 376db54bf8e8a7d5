#pragma once

#include <cstdint>
#include <string_view>

namespace warpwalk::trace {

/// The origin of a figure. Every figure on screen shows its origin.
enum class Origin : std::uint8_t {
  measured,   ///< a record of real hardware
  simulated,  ///< the GPU model
  derived,    ///< arithmetic on either; the formula is shown
  explained,  ///< a concept; no number is claimed
};

constexpr std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::measured: return "measured";
    case Origin::simulated: return "simulated";
    case Origin::derived: return "derived";
    case Origin::explained: return "explained";
  }
  return "";
}

}  // namespace warpwalk::trace

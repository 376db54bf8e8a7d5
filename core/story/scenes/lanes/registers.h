#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/story/scenes/lanes/subject.h"

namespace warpwalk::story {

/// A register of the followed instruction, for 32 lanes.
struct LaneRegister {
  std::string name;  ///< "R4", "P0"
  bool written = false;
  std::array<std::string, 32> values;  ///< read: before the instruction; written: after it
};

/// The registers that the instruction reads, then those that it writes, at most three of each, beside an address two.
/// Empty without machine code: the registers of PTX are not those of the hardware.
std::vector<LaneRegister> lane_registers(const LanesSubject& subject);

}  // namespace warpwalk::story

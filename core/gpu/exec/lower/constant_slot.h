#pragma once

#include <cstdint>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// The slot of a constant `bytes` wide (1 to 8), repeated for 32 lanes. Equal constants share one.
Slot constant_slot(Program& program, std::uint64_t value, int bytes);

}  // namespace warpwalk::gpu

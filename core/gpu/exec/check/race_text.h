#pragma once

#include <cstdint>
#include <string>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// The other access of a race in messages, e.g. "line 12", or "PTX line 40" if there are no source lines,
/// or "instruction 0x0120" if the machine code has no lines at all.
std::string place_of(const Program& program, std::uint32_t instruction);

}  // namespace warpwalk::gpu

#pragma once

#include <cstdint>
#include <string_view>

#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// The number of a system function in MachineCode::system_functions, which it is added to if necessary.
std::size_t system_function(Program& program, std::string_view name);

/// The address of a system function.
std::uint64_t add_system_function(Program& program, std::string_view name);

}  // namespace warpwalk::gpu

#pragma once

#include <string>
#include <variant>

#include "core/gpu/blocks/occupancy.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// The occupancy of a launch that a GPU of this description would accept; otherwise one line that says why not.
std::variant<Occupancy, std::string> check_launch(const Device& device, const Program& program, const Launch& launch,
                                                  int registers);

}  // namespace warpwalk::gpu

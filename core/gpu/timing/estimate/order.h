#pragma once

#include <vector>

#include "core/gpu/timing/estimated_code.h"
#include "core/gpu/timing/timing.h"

namespace warpwalk::gpu {

/// Puts the instructions of a part of a basic block into the order that ptxas is expected to choose: a list schedule in
/// which the instructions with the longest way to the end come first, so that loads move ahead of independent
/// instructions. Accesses to memory keep their order, except that loads may pass each other and accesses to other state
/// spaces. A folded instruction comes right after what it depends on.
std::vector<EstimatedInstruction> in_issue_order(std::vector<EstimatedInstruction> instructions, const Timing& timing);

}  // namespace warpwalk::gpu

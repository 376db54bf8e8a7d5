#pragma once

#include <vector>

#include "core/gpu/exec/access_counts.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// Sets InstructionCounts::flops. As in Nsight Compute's counts, an addition or multiplication is one operation of each
/// lane that executes it, a fused multiply-add is two, and packed instructions have two of each. A matrix product has
/// 2 m n k, of which each warp of a warp group has a quarter. Comparisons, conversions, MUFU, products of integers and
/// HFMA2 that moves a constant have none.
void count_flops(const Program& program, std::vector<InstructionCounts>& counts);

}  // namespace warpwalk::gpu

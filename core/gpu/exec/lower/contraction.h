#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/lower/flow.h"
#include "core/gpu/exec/lower/known_values.h"

namespace warpwalk::gpu {

/// For each instruction, the index of the multiplication that ptxas fuses into it, or -1. PTX allows fusion if neither
/// instruction has a rounding modifier (PTX ISA, mul: "mul/add and mul/sub sequences with no rounding modifiers may be
/// optimized to use fused-multiply-add instructions"). nvcc relies on fusion, so results match a GPU's only with it. A
/// product that something other than sums reads is not fused.
std::vector<std::int32_t> find_contractions(const ptx::Function& function, const ControlFlow& flow,
                                            const SassValues& values);

}  // namespace warpwalk::gpu

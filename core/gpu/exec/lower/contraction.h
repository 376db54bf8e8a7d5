#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/lower/known_values.h"

namespace warpwalk::gpu {

/// Products that ptxas fuses into the sum they go to: by instruction, the number of the product, or -1. PTX allows it
/// where neither says how to round (PTX ISA, mul: "mul/add and mul/sub sequences with no rounding modifiers may be
/// optimized to use fused-multiply-add instructions"), and nvcc relies on it, so results equal a GPU's only with it.
std::vector<std::int32_t> contractions_of(const ptx::Function& function, const Flow& flow, const SassValues& values);

}  // namespace warpwalk::gpu

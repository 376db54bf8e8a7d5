#pragma once

#include "core/gpu/exec/machine/machine.h"

namespace warpwalk::gpu {

/// Called when all lanes of a warp wait at a barrier. Checks whether the warp is in an infinite loop around it: whether
/// all registers that decide the loop's branches have the same values as at an earlier arrival. Other threads cannot
/// end such a loop. Loops whose branches depend on memory, on other threads or on time are left alone. Reports a
/// finding and returns true if the loop is infinite.
bool check_barrier_loop(Machine& machine, Warp& warp);

}  // namespace warpwalk::gpu

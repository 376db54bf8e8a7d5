#pragma once

#include "core/gpu/exec/machine/machine.h"

namespace warpwalk::gpu {

/// Runs a warp for some thousand operations and checks whether it is in an infinite loop: whether all registers that
/// decide its branches, directly or indirectly, have the same values as before at the same op. The loop then repeats
/// forever. Values loaded from memory may still change if another thread writes there, so they must repeat in several
/// checks over some tens of millions of operations.
///
/// Loops that wait for others (barriers of several warps: check_barrier_loop(); atomics, volatile accesses) or read a
/// clock are ignored. Reports a finding and returns Pause::stop if the loop is infinite; otherwise returns how the
/// warp's turn ended.
Pause check_infinite_loop(Machine& machine, BlockState& block, Warp& warp);

/// Called when all lanes of a warp wait at a barrier. Checks whether the warp is in an infinite loop around it: whether
/// all registers that decide the loop's branches have the same values as at an earlier arrival. Other threads cannot
/// end such a loop. Loops whose branches depend on memory, on other threads or on time are left alone. Reports a
/// finding and returns true if the loop is infinite.
bool check_barrier_loop(Machine& machine, Warp& warp);

/// The split of the warp that runs next; null if none is ready.
const Split* next_split(const Warp& warp);

}  // namespace warpwalk::gpu

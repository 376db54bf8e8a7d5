#pragma once

#include "core/gpu/exec/run/machine.h"

namespace warpwalk::gpu {

/// Runs a warp on for some thousand operations and looks whether it goes round a loop that it cannot leave: whether the
/// registers that decide its branches, directly or through others, are again what they were at the same place before.
/// Then the same will follow for ever. Registers that come from memory may still change if somebody writes there, so
/// these must have come back again and again for some tens of millions of operations.
///
/// Loops that wait for others (barriers, atomics, volatile accesses) or read a clock are left alone. Tells of what it
/// finds and then answers Pause::stop; otherwise how the warp's turn ended.
Pause watch_loop(Machine& machine, BlockRun& block, Warp& warp);

/// The split of the warp that would go next; null where none can.
const Split* next_split(const Warp& warp);

}  // namespace warpwalk::gpu

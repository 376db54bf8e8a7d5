#pragma once

#include <string>

#include "core/gpu/exec/machine/block_run.h"
#include "core/gpu/exec/machine/machine.h"

namespace warpwalk::gpu {

/// The first lanes of a warp that wait for other threads; null if none do.
const Split* waiting_split(const Warp& warp);
/// The first op from `pc` on that has an instruction. Markers of basic blocks have none.
const Op& op_with_source(const Machine& machine, std::uint32_t pc);

/// Reports a deadlocked block: its warps wait for each other, or poll memory (`spinning`) that no warp changes. The
/// finding names both sides: the warp that waits, and where those are that it waits for. `absent_blocks`, the end of
/// the sentence about polled memory, says which blocks do not come.
void report_deadlock(Machine& machine, BlockState& block, bool spinning, const std::string& absent_blocks = {});

}  // namespace warpwalk::gpu

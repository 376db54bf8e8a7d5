#pragma once

#include <bit>

#include <fmt/format.h>

#include "core/gpu/exec/machine/machine.h"

namespace warpwalk::gpu {

/// True if all 32 lanes are active, as .aligned instructions require. Otherwise, if any lane is active, reports a
/// finding and ends the launch.
inline bool require_full_warp(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == all_lanes) return true;
  if (mask != 0) {
    m.report_and_stop(
        FindingKind::barrier, op, mask,
        fmt::format("executes {} with {} of its warp's 32 lanes; it requires all of them",
                    ptx::name_of(m.program.sources[op.instruction].instruction->opcode), std::popcount(mask)));
  }
  return false;
}

}  // namespace warpwalk::gpu

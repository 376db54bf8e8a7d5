#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/exec/counters.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// Counts of one host thread. Instructions are counted per basic block, since a basic block is issued as a whole.
struct Tally {
  explicit Tally(const Program& program)
      : block_executions(program.blocks.size()), block_active_lanes(program.blocks.size()) {}

  std::vector<std::uint64_t> block_executions;    ///< by basic block: executions by a warp or split
  std::vector<std::uint64_t> block_active_lanes;  ///< by basic block: active lanes, summed over these executions
  Counters counters;                              ///< all other counters
  std::string printed;                            ///< printf output; kernels that print run their blocks in order

  Tally& operator+=(const Tally& other);
};

/// Computes the counters of a launch from its tally.
Counters counters_of(const Program& program, const Tally& tally);

}  // namespace warpwalk::gpu

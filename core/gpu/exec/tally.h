#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/exec/counters.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// What one host thread has counted. Instructions are counted by basic block: a block is issued as a whole.
struct Tally {
  explicit Tally(const Program& program) : issues(program.blocks.size()), active(program.blocks.size()) {}

  std::vector<std::uint64_t> issues;  ///< by basic block: warps (splits) that ran it
  std::vector<std::uint64_t> active;  ///< the same, lanes
  Counters memory;                    ///< all other counters
  std::string printed;                ///< by printf; blocks that print run in order

  Tally& operator+=(const Tally& other);
};

/// The counters that follow from the tally.
Counters counters_of(const Program& program, const Tally& tally);

}  // namespace warpwalk::gpu

#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/shadow/control_dependencies.h"

namespace warpwalk::gpu {

/// The state of a warp that arrives at the same barrier repeatedly (barrier_loop.h).
struct BarrierWatch {
  const Op* barrier = nullptr;       ///< null: none chosen yet
  const Op* branch = nullptr;        ///< the loop's backward branch; null: nothing can be proved about this barrier
  std::vector<FramePlace> places;    ///< the registers that decide the loop's branches
  std::vector<std::uint8_t> values;  ///< their values at an earlier arrival
  std::uint64_t arrivals = 0;        ///< at this barrier
  std::uint64_t renew = 0;           ///< number of arrivals at which `values` is taken anew
  std::uint32_t elsewhere = 0;       ///< consecutive arrivals at other barriers
};

}  // namespace warpwalk::gpu

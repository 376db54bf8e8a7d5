#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/story/facts/simulated/warp_schedule.h"

namespace warpwalk::story {

/// A kernel that can be seen whole: four warps of one scheduler of the simulated GPU, some cycles long, while each warp
/// repeats a few multiply-adds of which most need the result of the one before.
struct SmallRun {
  struct Warp {
    std::uint32_t number = 0;       ///< in its block
    std::vector<WarpCycle> states;  ///< by cycle
  };
  std::int64_t from = 0;    ///< cycle since the block's start of the first state
  std::size_t shown = 0;    ///< cycles to show; a few more are known
  std::vector<Warp> warps;  ///< in the order of their numbers
  /// The multiply-adds that each warp repeats, in the order in which it issues them.
  std::vector<std::string_view> code;
  /// The warp, as an index into `warps`, that issues in a cycle; the number of warps if none does.
  std::size_t issuing(std::size_t cycle) const;
  /// Cycles, of the first ones, in which a warp issues.
  std::size_t issued(std::size_t cycles) const;
};

/// All of its states are seen, and in the last shown cycle only one warp does not wait. Null if such a GPU cannot run
/// it. It takes some milliseconds at the first call for a GPU; the result is kept.
std::shared_ptr<const SmallRun> small_run(const gpu::Device& device);

}  // namespace warpwalk::story

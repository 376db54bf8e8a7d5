#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/gpu/exec/check/shared_shadow.h"
#include "core/gpu/exec/run/warp.h"

namespace warpwalk::gpu {

/// One of a block's 16 barriers, while threads wait there.
struct BarrierState {
  std::uint32_t arrived = 0;   ///< threads
  std::uint32_t expected = 0;  ///< threads; 0: all that have not ended
  bool in_use = false;
  std::uint32_t popc = 0;  ///< bar.red: threads whose predicate held
  bool all = true, any = false;
};

/// A thread block (CTA) while it runs.
struct BlockRun {
  static constexpr int barrier_count = 16;

  std::uint64_t index = 0;
  std::array<std::uint32_t, 3> id{};
  std::uint32_t live_threads = 0;
  std::uint64_t time = 0;            ///< operations issued by its warps, its clock
  std::vector<std::uint8_t> shared;  ///< from shared_begin on
  std::vector<Warp> warps;
  std::array<BarrierState, barrier_count> barriers;
  std::unique_ptr<SharedShadow> shadow;  ///< only with the sanitizer
  std::uint32_t idle_rounds = 0;         ///< turns of all its warps in which each only spun
};

}  // namespace warpwalk::gpu

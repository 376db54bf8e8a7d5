#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/gpu/exec/check/shared_shadow.h"
#include "core/gpu/exec/run/warp.h"

namespace warpwalk::gpu {

/// State of one of a block's 16 barriers.
struct BarrierState {
  std::uint32_t arrived = 0;   ///< threads that have arrived
  std::uint32_t expected = 0;  ///< threads that must arrive; 0: all live threads
  bool in_use = false;
  std::uint32_t popc = 0;  ///< bar.red: threads whose predicate is true
  bool all = true, any = false;
};

/// State of a running thread block (CTA).
struct BlockState {
  static constexpr int barrier_count = 16;

  std::uint64_t index = 0;
  std::array<std::uint32_t, 3> id{};
  std::uint32_t live_threads = 0;
  std::uint64_t issued_operations = 0;  ///< its clock: operations issued by its warps
  std::vector<std::uint8_t> shared;     ///< shared memory, from offset shared_begin
  std::vector<Warp> warps;
  std::array<BarrierState, barrier_count> barriers;
  std::unique_ptr<SharedShadow> shadow;  ///< null without the sanitizer
  std::uint32_t idle_rounds = 0;         ///< consecutive rounds in which every warp only spun
};

}  // namespace warpwalk::gpu

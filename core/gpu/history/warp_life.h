#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/history/sm_replay.h"
#include "core/gpu/history/sm_window.h"

namespace warpwalk::gpu {

/// The states of one warp in the cycles from `from` until before `to`.
struct WarpLife {
  std::int64_t from = 0, to = 0;
  WarpRow row;                            ///< no spans: the warp was not on the SM
  std::vector<IssuedInstruction> issues;  ///< ascending
};

/// Runs the replay through these cycles; it stands at the beginning of `to` afterwards. `to` is at most replay.end().
WarpLife watch_warp(SmReplay& replay, const WarpPlace& warp, std::int64_t from, std::int64_t to);

}  // namespace warpwalk::gpu

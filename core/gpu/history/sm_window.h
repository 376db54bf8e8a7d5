#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/history/sm_replay.h"

namespace warpwalk::gpu {

/// A warp's state over some cycles: from `from` until before `to`.
struct WarpSpan {
  std::int64_t from = 0, to = 0;
  StallReason reason = StallReason::wait;
  std::uint32_t instruction = 0;  ///< of the program: the one that it issues next
  friend bool operator==(const WarpSpan&, const WarpSpan&) = default;
};

/// A warp's time on the SM, as far as it lies in the window.
struct WarpRow {
  WarpPlace place;
  std::vector<WarpSpan> spans;  ///< without gaps, ascending
  friend bool operator==(const WarpRow&, const WarpRow&) = default;
};

/// An instruction that was issued, with the addresses that it accessed.
struct Issue {
  IssuedInstruction what;
  std::vector<LoggedAccess> accesses;
};

/// A result that came back to a warp.
struct Return {
  WarpPlace warp;
  std::int64_t cycle = 0;
  unsigned counter = 0;      ///< the warp's dependence counter that it counts down
  std::uint32_t set_by = 0;  ///< the instruction whose result it is
  bool from_memory = false;  ///< global, local or texture memory
};

/// The events on an SM in the cycles from `from` until before `to`.
struct SmWindow {
  std::int64_t from = 0, to = 0;
  std::vector<WarpRow> warps;      ///< by slot, then in the order in which they came
  std::vector<Issue> issues;       ///< ascending
  std::vector<Return> returns;     ///< ascending
  std::vector<RequestTrip> trips;  ///< whose answer was sent in these cycles; it may come later
};

/// Runs the replay through these cycles; it stands at the beginning of `to` afterwards. `to` is at most replay.end().
SmWindow watch_window(SmReplay& replay, std::int64_t from, std::int64_t to);

/// The states of one warp in the cycles from `from` until before `to`.
struct WarpLife {
  std::int64_t from = 0, to = 0;
  WarpRow row;                            ///< no spans: the warp was not on the SM
  std::vector<IssuedInstruction> issues;  ///< ascending
};

/// Runs the replay through these cycles; it stands at the beginning of `to` afterwards. `to` is at most replay.end().
WarpLife watch_warp(SmReplay& replay, const WarpPlace& warp, std::int64_t from, std::int64_t to);

}  // namespace warpwalk::gpu

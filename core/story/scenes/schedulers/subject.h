#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/gpu/history/loop.h"
#include "core/story/facts/simulated/followed_sm.h"

namespace warpwalk::story {

/// A loop that the followed warp runs through.
struct FollowedLoop {
  gpu::LoopVisit visit;
  std::shared_ptr<const gpu::WarpLife> life;  ///< of the warp, around the loop
};

/// One SM at one cycle, and the warp that is followed.
struct SchedulersSubject {
  run::TimeTravel& travel;  ///< on the changed GPU if a change is shown
  const run::History& history;
  ControlSet controls;
  std::uint16_t sm = 0;
  std::int64_t end = 0;  ///< cycles of the SM
  SmEvents events = {};
  std::int64_t cycle = 0;
  std::uint16_t slot = 0;                            ///< of the followed warp
  std::shared_ptr<const gpu::SmWindow> window = {};  ///< that the picture shows
  std::shared_ptr<const gpu::SmWindow> this_cycle = {};
  std::shared_ptr<const run::SmMoment> now = {};
  const gpu::WarpState* warp = nullptr;              ///< in `now`; null if the slot is free
  gpu::StallReason reason = gpu::StallReason::wait;  ///< what the followed warp does in this cycle
  std::int64_t since = 0;                            ///< it does so since this cycle
  int schedulers = 0;
  std::shared_ptr<const FollowedLoop> loop = {};  ///< in the beat about loops, if there is one

  /// Issues of the window by other warps of the followed one's scheduler, from `from` until before `to`.
  std::size_t issued_by_neighbours(std::int64_t from, std::int64_t to) const;
  /// Share of cycles of the window in which the scheduler issued, 0 to 1.
  double busy(int scheduler) const;
};

/// Beats in which the person can change the GPU.
bool shows_change(std::string_view beat);

/// The event that [ and ] step to in a beat by default; a CycleEvent.
std::int64_t usual_stop(std::string_view beat);

/// The history has cycles.
SchedulersSubject schedulers_subject(const SceneInput& input, std::string_view beat);

}  // namespace warpwalk::story

#pragma once

// The parts of the scene "schedulers": one SM at one cycle, the rasters and tables that show it, changes of the GPU,
// and the questions.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/history/loop.h"
#include "core/gpu/timing/stall_reason.h"
#include "core/story/elements/narration.h"
#include "core/story/facts/simulated/followed_sm.h"
#include "core/story/facts/words/ask.h"
#include "core/story/pictures/panels.h"
#include "core/story/pictures/raster.h"
#include "core/story/pictures/table.h"
#include "core/story/stage/control_set.h"

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
  std::optional<std::int64_t> asked = {};         ///< the cycle in which the value of the followed wait was asked for

  /// Issues of the window by other warps of the followed one's scheduler, from `from` until before `to`.
  std::size_t issued_by_neighbours(std::int64_t from, std::int64_t to) const;
  /// Whether the scheduler of a slot has another warp in the cycles of the window.
  bool has_neighbours(std::uint16_t of) const;
  /// Share of cycles of the window in which the scheduler issued, 0 to 1.
  double busy(int scheduler) const;
};

/// Beats in which the person can change the GPU.
bool shows_change(std::string_view beat);

/// The event that [ and ] step to in a beat by default; a CycleEvent.
std::int64_t usual_stop(std::string_view beat);

/// The history has cycles.
SchedulersSubject schedulers_subject(const SceneInput& input, std::string_view beat);

/// The states of a warp in a cycle as the rasters of this scene show them: several of Nsight Compute's reasons share a
/// state. raster_state() is an index into raster_states().
std::vector<RasterState> raster_states(const Narration& narration);
std::size_t raster_state(gpu::StallReason reason);

/// A short word for what a warp does, as in the legend: "waits for memory".
std::string state_word(const Narration& narration, gpu::StallReason reason);

/// Leaves out the states that no row shows, except the most common ones, so that the legend explains what is on screen.
void keep_shown_states(RasterPicture& picture);

/// Every warp's state by cycles, and below it the code around the followed warp's instruction, and why it waits.
/// In the beat about a loop, its passes in place of the warps; in the one about the whole GPU, all SMs by cycles.
Panels schedulers_picture(const SceneInput& input, std::string_view beat, const SchedulersSubject& subject);

/// The state of the followed warp in this cycle and, if it waits, the chain of causes; a click on a row goes to its
/// cycle.
TablePicture why_table(const SceneInput& input, const SchedulersSubject& subject);

/// The loop that a warp runs through in a cycle, or else, of those near it, the one with the most passes; none if it
/// runs through none there. Cycles of the SM up to some ten thousand before and after are looked at.
std::shared_ptr<const FollowedLoop> loop_near(run::TimeTravel& travel, std::uint16_t sm, const gpu::WarpPlace& warp,
                                              std::int64_t cycle);

/// The passes of the subject's loop below one another, from the cycle in which each begins; those that are alike are
/// folded into one row.
RasterPicture loop_raster(const SceneInput& input, const SchedulersSubject& subject);
/// The cycles of a pass by state, on average.
TablePicture loop_table(const SceneInput& input, const SchedulersSubject& subject);

/// Adds what the sentences about the loop say.
void add_loop_values(const SceneInput& input, const SchedulersSubject& subject, Narration::Values& values);

/// The change of the GPU that the controls of this scene ask for.
run::WhatIf chosen_change(const Controls& controls);

/// Adds the controls of the change. `blocks`: on an SM at a time, as launched.
void add_change_controls(ControlSet& controls, const SceneInput& input, std::int64_t blocks, bool one_warp);

/// The effect of the change on the launch: figures of the GPU as it is beside those of the changed one. The history has
/// both.
TablePicture change_table(const SceneInput& input);

/// Share of the issue slots in which an instruction was issued, 0 to 100, while blocks were resident.
double slots_used(const gpu::LaunchTiming& timing);

/// The question of a beat; none if it has none, or if the launch lacks the event that it is about.
std::optional<Ask> schedulers_question(const SceneInput& input, const SchedulersSubject& subject,
                                       std::string_view beat);

}  // namespace warpwalk::story

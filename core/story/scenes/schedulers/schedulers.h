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
#include "core/gpu/history/pipeline/block_pipeline.h"
#include "core/gpu/timing/stall_reason.h"
#include "core/story/beats/beat_of.h"
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

/// The cycles through which the motion of a beat goes, and the warp that it follows.
struct SchedulersMotion {
  std::int64_t from = 0, to = 0;
  std::uint16_t slot = 0;
};
/// Up to the cycle in which most schedulers issue.
SchedulersMotion to_busiest(const SmEvents& events, const BlockOnSm& followed);
/// In the cycle of the choice among the most warps; without one, as after the wait.
SchedulersMotion at_contest(const SmEvents& events, const BlockOnSm& followed);
/// The first half of the wait, the second half, or after it; in the busiest cycle if no warp waits.
SchedulersMotion into_wait(const SmEvents& events, const BlockOnSm& followed);
SchedulersMotion out_of_wait(const SmEvents& events, const BlockOnSm& followed);
SchedulersMotion after_wait(const SmEvents& events, const BlockOnSm& followed);

/// What only the beats of this scene say of themselves.
struct SchedulersView {
  SchedulersMotion (*motion)(const SmEvents&, const BlockOnSm&) = after_wait;
  bool fits_wait = false;                     ///< its picture shows the cycles around the wait
  bool shows_pipeline = false;                ///< it goes through a wait for an mbarrier, if the followed block has one
  bool folds_loop = false;                    ///< it goes through a pass of a loop, if the followed warp has one
  bool one_warp = false;                      ///< unless the person chooses another change, one warp runs at a time
  CycleEvent usual_stop = CycleEvent::issue;  ///< that [ and ] step to
  bool chooses_stop = true;                   ///< the person can choose another
};

/// One SM at one cycle, and the warp that is followed.
struct SchedulersSubject {
  const SceneInput& input;
  const SchedulersView& view;
  bool shows_change = false;  ///< the person can change the GPU in this beat
  run::TimeTravel& travel;    ///< on the changed GPU if a change is shown
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
  std::shared_ptr<const gpu::BlockPipeline> pipeline = {};  ///< of the followed block, in the beat about pipelines
  std::shared_ptr<const FollowedLoop> loop = {};            ///< in the beat about loops, if there is one
  std::optional<std::int64_t> asked = {};  ///< the cycle in which the value of the followed wait was asked for

  /// Issues of the window by other warps of the followed one's scheduler, from `from` until before `to`.
  std::size_t issued_by_neighbours(std::int64_t from, std::int64_t to) const;
  /// Whether the scheduler of a slot has another warp in the cycles of the window.
  bool has_neighbours(std::uint16_t of) const;
  /// Share of cycles of the window in which the scheduler issued, 0 to 1.
  double busy(int scheduler) const;
};

using SchedulersBeat = BeatOf<SchedulersSubject, SchedulersView>;

/// The history has cycles.
SchedulersSubject schedulers_subject(const Here& here);

/// The states of a warp in a cycle as the rasters of this scene show them: several of Nsight Compute's reasons share a
/// state. raster_state() is an index into raster_states().
std::vector<RasterState> raster_states(const Narration& narration);
std::size_t raster_state(gpu::StallReason reason);

/// A short word for what a warp does, as in the legend: "waits for memory".
std::string state_word(const Narration& narration, gpu::StallReason reason);

/// Leaves out the states that no row shows, except the most common ones, so that the legend explains what is on screen.
void keep_shown_states(RasterPicture& picture);

/// Every warp's state by cycles.
RasterPicture cycles_raster(const SchedulersSubject& subject);
/// The same, and below it the code around the followed warp's instruction, and why it waits.
PanelRows cycles_panels(const SchedulersSubject& subject);
/// With the warps of the followed one's scheduler alone.
PanelRows hide_panels(const SchedulersSubject& subject);
/// With the passes of the loop, if there is one, in place of the warps.
PanelRows loop_panels(const SchedulersSubject& subject);
/// The groups of warps of the followed block by their roles, the phases of its mbarriers and the stages of its
/// pipeline, over time and at this cycle.
PanelRows pipeline_panels(const SchedulersSubject& subject);
/// The section of its texts, and their values.
std::string pipeline_section(const SchedulersSubject& subject);
void add_pipeline_values(const SchedulersSubject& subject, Narration::Values& values);
/// Looks at the pipeline of a block, and goes through its longest wait for an mbarrier.
void follow_pipeline(SchedulersSubject& subject, std::uint64_t block);
/// All SMs by cycles.
PanelRows gpu_panels(const SchedulersSubject& subject);

/// The state of the followed warp in this cycle and, if it waits, the chain of causes; a click on a row goes to its
/// cycle.
TablePicture why_table(const SchedulersSubject& subject);

/// The loop that a warp runs through in a cycle, or else, of those near it, the one with the most passes; none if it
/// runs through none there. Cycles of the SM up to some ten thousand before and after are looked at.
std::shared_ptr<const FollowedLoop> loop_near(run::TimeTravel& travel, std::uint16_t sm, const gpu::WarpPlace& warp,
                                              std::int64_t cycle);

/// The passes of the subject's loop below one another, from the cycle in which each begins; those that are alike are
/// folded into one row.
RasterPicture loop_raster(const SchedulersSubject& subject);
/// The cycles of a pass by state, on average.
TablePicture loop_table(const SchedulersSubject& subject);

/// Adds what the sentences about the loop say.
void add_loop_values(const SchedulersSubject& subject, Narration::Values& values);

/// The change of the GPU that the controls of this scene ask for.
run::WhatIf chosen_change(const Controls& controls);

/// Adds the controls of the change. `blocks`: on an SM at a time, as launched.
void add_change_controls(ControlSet& controls, const SceneInput& input, std::int64_t blocks, bool one_warp);

/// The effect of the change on the launch: figures of the GPU as it is beside those of the changed one. The history has
/// both.
TablePicture change_table(const SceneInput& input);

/// Share of the issue slots in which an instruction was issued, 0 to 100, while blocks were resident.
double slots_used(const gpu::LaunchTiming& timing);

/// Questions about the choice, the awaited data and the hidden wait; none if the launch lacks them.
std::optional<Ask> pick_question(const SchedulersSubject& subject);
std::optional<Ask> wait_question(const SchedulersSubject& subject);
std::optional<Ask> hide_question(const SchedulersSubject& subject);
/// Which group of warps fills the shared memory; none if no group does only that, or several do.
std::optional<Ask> pipeline_question(const SchedulersSubject& subject);

}  // namespace warpwalk::story

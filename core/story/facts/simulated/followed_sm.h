#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/replay/time_travel.h"
#include "core/story/stage/control_set.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// A stretch of a warp's time in one state.
struct FollowedSpan {
  gpu::WarpPlace warp;
  gpu::WarpSpan span;
};

/// Events of an SM that the beats of the inner scenes show, found in its first cycles.
struct SmEvents {
  std::int64_t busiest = 0;            ///< in which the most schedulers issue, a followed warp if possible
  std::optional<std::size_t> contest;  ///< the issue, by index in the window, with the most eligible warps
  std::optional<FollowedSpan> wait;    ///< the longest wait for memory, else for any other result, else at a barrier
  std::shared_ptr<const gpu::SmWindow> window;  ///< in which they were found
};

/// Cycles in which events are looked for.
constexpr std::int64_t searched_cycles = 4096;

/// The followed block on an SM: the block that all scenes follow if it runs there, else the first block of the SM.
struct BlockOnSm {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;  ///< that computes the followed number, else the first one
  std::int64_t start = 0;  ///< cycle

  /// How close a warp is to what is followed: 2 for the followed warp, 1 for the block's other warps, else 0.
  int rank(const gpu::WarpPlace& place) const { return place.block != block ? 0 : place.warp == warp ? 2 : 1; }
  /// The first cycle in which its events are looked for.
  std::int64_t searched_from() const { return start < searched_cycles / 2 ? 0 : start; }
};

/// `input` has cycles of the launch; the SM has a block.
BlockOnSm block_on(const SceneInput& input, const run::TimeTravel& travel, std::uint16_t sm);

/// Events of the followed block's first warp if it has such events, else of its other warps, else of any warp.
SmEvents events_of(run::TimeTravel& travel, std::uint16_t sm, const BlockOnSm& followed);

/// The SM that the person chose here, else in another scene, else `usual`, else that of the followed block. Adds its
/// control.
std::uint16_t chosen_sm(ControlSet& controls, const SceneInput& input, const run::TimeTravel& travel,
                        std::optional<std::uint16_t> usual = {});

/// The cycle in which a block starts on an SM; none if it does not run there.
std::optional<std::int64_t> block_start(const run::TimeTravel& travel, std::uint16_t sm, std::uint64_t block);

/// The cycle in which the state began that the warp is in at `cycle`, at most 100,000 cycles earlier.
std::int64_t start_of_state(run::TimeTravel& travel, std::uint16_t sm, const gpu::WarpPlace& warp, std::int64_t cycle);

/// The cycle in which the state ends that the warp is in at `cycle`; none if that is more than 100,000 cycles later.
std::optional<std::int64_t> end_of_state(run::TimeTravel& travel, std::uint16_t sm, const gpu::WarpPlace& warp,
                                         std::int64_t cycle);

/// "warp 3 of block 12".
std::string warp_name(const Narration& narration, const gpu::WarpPlace& warp);

/// Why there are no cycles to show: "building", "timing", "impossible", "none"; empty if they are there. Adds the
/// values that the sentences use.
std::string missing_cycles(const SceneInput& input, Narration::Values& values);

/// The events that a person can step to.
enum class CycleEvent : std::uint8_t {
  issue,
  stall,
  barrier,
  memory,
  branch,
  pass,     ///< the warp issues the same instruction again: the next pass of a loop
  finding,  ///< the warp issues an instruction of a line at which the sanitizer found an error, for any warp
};
constexpr std::size_t cycle_events = 7;

/// The thread that an error was found for, the first of those that make it.
struct ErrorThread {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;  ///< in the block
  int lane = 0;
};
ErrorThread thread_of(const run::History& history, const gpu::Finding& finding);

/// An error at the line of an instruction.
struct FoundError {
  const gpu::Finding* finding = nullptr;  ///< null: there is none
  bool by_warp = false;                   ///< it was found for a thread of the warp that executes the instruction
};
/// The error that was found at the line of an instruction: preferably for the warp in `place`.
FoundError error_at(const run::TimeTravel& travel, const run::History& history, const gpu::WarpPlace& place,
                    std::uint32_t instruction);
/// The message of an error; if it was found for another warp, that one comes first.
std::string error_text(const Narration& narration, const run::History& history, const FoundError& error);

/// The next cycle after `cycle`, or the last one before it, at which this happens to the warp in a slot; none if there
/// is none within 100,000 cycles.
std::optional<std::int64_t> find_event(run::TimeTravel& travel, const run::History& history, std::uint16_t sm,
                                       std::uint16_t slot, CycleEvent event, std::int64_t cycle, bool forward);

}  // namespace warpwalk::story

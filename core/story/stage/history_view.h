#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/run/replay/what_if.h"
#include "core/story/elements/narration.h"
#include "core/story/elements/walk.h"
#include "core/trace/records.h"

namespace warpwalk::gpu {
struct Device;
struct LaunchTiming;
}  // namespace warpwalk::gpu
namespace warpwalk::run {
struct History;
struct NumberTrail;
class TimeTravel;
}  // namespace warpwalk::run

namespace warpwalk::records {
struct Hardware;
}  // namespace warpwalk::records

namespace warpwalk::story {

using records::Hardware;

/// The state of the history of the followed kernel. A stage shows what is there, and never waits for more.
struct HistoryView {
  enum class State : std::uint8_t {
    none,        ///< not requested
    building,    ///< it is being simulated
    ready,       ///< `history` is there
    impossible,  ///< `reason` says why
  };
  State state = State::none;
  const run::History* history = nullptr;      ///< of the followed kernel, or a stand-in for it; outlives the view
  double done = 0;                            ///< while building, 0 to 1
  const gpu::LaunchTiming* timing = nullptr;  ///< of the kernel itself, if its cycles were simulated; outlives the view
  std::string no_timing;                      ///< why they were not, one sentence without its full stop; empty: not yet
  std::string reason;                         ///< one sentence without its full stop
  std::string instead;                        ///< which other launch can be shown, a part of a sentence; empty: none
  /// The cycles of the history, for any moment of any SM; null if they were not simulated. Outlives the view. It
  /// computes what it is asked for, always the same, so a stage that asks it is still a function of its input.
  run::TimeTravel* travel = nullptr;
  std::string no_travel;   ///< why there is none, one sentence without its full stop; empty: not yet
  double travel_done = 0;  ///< while the cycles are simulated, 0 to 1
  /// Where the followed number is on its way; null if there is none, or while it is looked for. Outlives the view.
  const run::NumberTrail* trail = nullptr;
  std::string no_trail;  ///< why there is none, one sentence without its full stop; empty: not yet
  /// The same cycles on a GPU that the person changed; null if nothing was changed, or while they are simulated.
  run::TimeTravel* changed = nullptr;
  run::WhatIf what_if = {};  ///< the change
  std::string no_changed;    ///< why there are no cycles with the change, one sentence without its full stop
  double changed_done = 0;   ///< while they are simulated, 0 to 1

  bool stand_in() const;
  /// Whether the kernel itself was simulated.
  bool own() const;
  /// Sets `timing` and `no_timing` from the history and its cycles.
  void take_timing();
  friend bool operator==(const HistoryView&, const HistoryView&) = default;
};

/// The GPU to simulate for the followed work: the one that it ran on if that is described, else the H200; null if no
/// description is installed.
std::optional<gpu::Device> simulated_device(const Trace& trace, const Walk& walk, const Hardware& hardware);

/// "matmul_tiled for aten::mm, 1024x1024 by 1024x1024": a stand-in, and the op that it replaces.
std::string stand_in_text(const Narration& narration, const run::History& history);

/// The simulated GPU's counters, in the form of a record. Empty without a history.
std::vector<trace::NamedCounter> simulated_counters(const HistoryView& view);

}  // namespace warpwalk::story

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/run/replay/history.h"
#include "core/story/stage/hardware.h"
#include "core/trace/records.h"

namespace warpwalk::story {

/// How far the history of the followed kernel is. A stage says what it can from it, and asks for nothing.
struct HistoryView {
  enum class State : std::uint8_t {
    none,        ///< nobody has asked for one
    building,    ///< it is being simulated
    ready,       ///< `history` is there
    impossible,  ///< `reason` says why
  };
  State state = State::none;
  const run::History* history = nullptr;  ///< of the followed kernel, or a stand-in for it; outlives the view
  double done = 0;                        ///< while building, 0 to 1
  std::string reason;                     ///< one sentence without its end

  bool stand_in() const { return state == State::ready && history->stand_in; }
  /// The kernel itself has been simulated.
  bool own() const { return state == State::ready && !history->stand_in; }
  friend bool operator==(const HistoryView&, const HistoryView&) = default;
};

/// The GPU to simulate for the followed work: the one it ran on where that is described, else the H200; null where no
/// description is at hand.
std::optional<gpu::Device> simulated_device(const Trace& trace, const Walk& walk, const Hardware& hardware);

/// What the simulated GPU counted, as a record would keep it. Empty where there is no history.
std::vector<trace::NamedCounter> simulated_counters(const HistoryView& view);

}  // namespace warpwalk::story

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/history.h"
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
};

/// What the simulated GPU counted, as a record would keep it. Empty where there is no history.
std::vector<trace::NamedCounter> simulated_counters(const HistoryView& view);

}  // namespace warpwalk::story

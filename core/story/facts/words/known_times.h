#pragma once

#include <cstdint>
#include <string>

#include "core/story/elements/walk.h"

namespace warpwalk::story {

/// Whether the time of the followed work is known.
enum class TimeRecord : std::uint8_t {
  timed,
  unclocked,   ///< simulated without a clock: there may be counters, but no times
  unrecorded,  ///< from a real run that did not record the time of this work
};

/// Whether the trace has a time for this slice. Start and duration 0 mean that it has none, as in the reader.
bool has_time(const Trace& trace, SliceId slice);

/// The duration as a text, "no time" if the trace has none.
std::string duration_text(const Trace& trace, SliceId slice);

/// Returns `timed` for a walk without GPU work, because such a walk covers only the CPU.
TimeRecord time_record_of(const Trace& trace, const Walk& walk);
inline bool is_untimed(const Trace& trace, const Walk& walk) {
  return time_record_of(trace, walk) != TimeRecord::timed;
}

}  // namespace warpwalk::story

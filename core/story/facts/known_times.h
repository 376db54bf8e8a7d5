#pragma once

#include <cstdint>
#include <string>

#include "core/story/stage/walk.h"

namespace warpwalk::story {

/// What a trace says of when the followed work ran.
enum class Timing : std::uint8_t {
  timed,
  unclocked,   ///< simulated by a GPU without a clock: what the work did may be counted, when and how long is not known
  unrecorded,  ///< of a real run, of which the work's time is not on record
};

/// Whether the trace has a time for this slice: start and duration 0 mean that it has none, as in the reader.
bool has_time(const Trace& trace, SliceId slice);

/// The duration in words, "no time" where the trace has none.
std::string duration_text(const Trace& trace, SliceId slice);

/// Timed where the walk has no GPU work: then it is about the CPU alone.
Timing timing_of(const Trace& trace, const Walk& walk);
inline bool is_untimed(const Trace& trace, const Walk& walk) { return timing_of(trace, walk) != Timing::timed; }

}  // namespace warpwalk::story

#pragma once

#include <string>

#include "core/analysis/time/idle_lines.h"
#include "core/words/narration.h"

namespace warpwalk::words {

/// The name as a key of the narration: "launch_bound".
std::string key_of(analysis::IdleVerdict verdict);
/// The words of a cause: "launched too late".
std::string cause_text(const Narration& narration, analysis::IdleCause cause);
/// The verdict as a sentence with its shares.
std::string verdict_text(const Narration& narration, const analysis::IdleReport& report);

/// " Most of this leads to train.py(12): step (62.0 %)."; empty without a line. Where the GPU is busy, what it is a
/// part of too.
std::string culprit_text(const Narration& narration, const analysis::IdleReport& report,
                         const analysis::IdleLine& culprit);

/// A sentence that the shares are doubtful, if the recorded times of GPU work cannot be right
/// (trace::doubtful_durations); else empty.
std::string doubt_text(const Narration& narration, const trace::Trace& trace);

/// A sentence that names them; empty if there are none.
std::string slowing_text(const Narration& narration, const trace::Trace& trace);

}  // namespace warpwalk::words

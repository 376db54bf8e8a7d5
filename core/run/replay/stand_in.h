#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/run/replay/history_result.h"

namespace warpwalk::run {

/// Simulates warpwalk's own kernel for the op around a kernel, on the recorded shapes and types of the op's inputs and
/// random elements. If the op takes several launches, the history shows the one with the most threads; those before it
/// run first. `because` becomes History::stands_in_because. On failure, returns a one-line error with the reason.
std::variant<std::shared_ptr<const History>, std::string> stand_in(const trace::Trace& trace, trace::SliceId kernel,
                                                                   const HistoryOptions& options, std::string because);

}  // namespace warpwalk::run

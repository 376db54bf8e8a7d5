#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/run/replay/history_result.h"

namespace warpwalk::run {

/// warpwalk's own kernel for the op around a kernel, on the shapes and types that are recorded of its inputs and on
/// random elements, simulated. Of an op that takes several launches it is the one with the most threads, after those
/// before it. The error is one line: why there is none.
std::variant<std::shared_ptr<const History>, std::string> stand_in(const trace::Trace& trace, trace::SliceId kernel,
                                                                   const HistoryOptions& options);

}  // namespace warpwalk::run

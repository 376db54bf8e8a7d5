#pragma once

#include <memory>
#include <string>
#include <variant>

#include "core/run/replay/history_result.h"

namespace warpwalk::run {

/// Runs a launch that was recorded with its memory: the very machine code on the recorded contents. Compares the
/// memory after it with what the GPU left (History::digests). On failure, returns a one-line error with the reason.
std::variant<std::shared_ptr<const History>, std::string> recorded_history(const trace::Trace& trace,
                                                                           const trace::KernelRecord& record,
                                                                           const HistoryOptions& options);

}  // namespace warpwalk::run

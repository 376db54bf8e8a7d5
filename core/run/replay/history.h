#pragma once

// This folder simulates kernels of a trace again: histories, stand-ins, launches recorded inside. One SM at a cycle is
// core/gpu/history.

#include <memory>
#include <variant>

#include "core/run/replay/history_result.h"

namespace warpwalk::run {

/// Simulates a kernel of the trace from its record, and replays the earlier kernels that produced its buffers. If the
/// record has no PTX or no inputs, simulates warpwalk's own kernel for the enclosing op instead, with shapes and types
/// from the record.
std::variant<std::shared_ptr<const History>, NoHistory> build_history(const trace::Trace& trace, trace::SliceId kernel,
                                                                      const HistoryOptions& options);

}  // namespace warpwalk::run

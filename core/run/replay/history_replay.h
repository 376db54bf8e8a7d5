#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/run/replay/history_result.h"

namespace warpwalk::run {

/// Simulates the kernel again from its record, after the earlier kernels whose results it needs. On failure, returns a
/// one-line error: the data missing from the record, or the reason why the simulated GPU rejects the launch.
std::variant<std::shared_ptr<const History>, std::string> replayed(const trace::Trace& trace, trace::SliceId kernel,
                                                                   const HistoryOptions& options);

}  // namespace warpwalk::run

#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/run/replay/history_result.h"

namespace warpwalk::run {

/// The kernel itself, simulated again from its record, after the earlier kernels whose results it needs. The error is
/// one line: what the record lacks, or what the simulated GPU refuses.
std::variant<std::shared_ptr<const History>, std::string> replayed(const trace::Trace& trace, trace::SliceId kernel,
                                                                   const HistoryOptions& options);

}  // namespace warpwalk::run

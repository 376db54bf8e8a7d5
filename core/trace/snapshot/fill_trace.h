#pragma once

#include "core/trace/snapshot/store.h"
#include "core/trace/trace.h"

namespace warpwalk::trace::snapshot {

/// Fills a trace from a snapshot whose top-level dictionary is `top`. Returns the number of rows that were used.
std::uint64_t fill_trace(const Store& store, Value top, Trace& trace);

}  // namespace warpwalk::trace::snapshot

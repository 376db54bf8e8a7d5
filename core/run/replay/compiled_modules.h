#pragma once

#include <filesystem>

#include "core/compiled/compiled.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// Gives the cubins of a trace's modules the calls that Triton's compiler has inlined, from the files that it wrote for
/// the same machine code (compiled/lines/inlined_calls.h).
void add_inlined_calls(trace::Trace& trace, const compiled::Compiled& compiled);

/// The same with the files that `record` has kept for a walk; without them, nothing changes.
void add_inlined_calls(trace::Trace& trace, const std::filesystem::path& walk);

}  // namespace warpwalk::run

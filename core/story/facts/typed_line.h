#pragma once

#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk::story {

/// Whether warpwalk itself made this trace, of an expression that somebody typed: no Python ran, and what stands where
/// frames do is that line.
inline bool is_typed(const trace::Trace& trace) { return !trace.records.expression.empty(); }

/// The narration's word under [row] for what calls the ops.
inline std::string_view frame_word(const trace::Trace& trace) { return is_typed(trace) ? "typed" : "python"; }

}  // namespace warpwalk::story

#pragma once

#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk::story {

/// Whether warpwalk itself made this trace from a typed expression: no Python ran, and the expression takes the place
/// of Python frames.
inline bool is_typed(const trace::Trace& trace) { return !trace.records.expression.empty(); }

/// The narration's key under [row] for the caller of the ops.
inline std::string_view frame_word(const trace::Trace& trace) { return is_typed(trace) ? "typed" : "python"; }

}  // namespace warpwalk::story

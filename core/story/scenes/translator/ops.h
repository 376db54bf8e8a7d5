#pragma once

#include <cstddef>
#include <string_view>

#include "core/story/elements/walk.h"

namespace warpwalk::story {

/// The kind of an entry in the chain of ops, by its name.
enum class CallKind : unsigned char {
  op,        ///< goes through the dispatcher: aten::mm
  backward,  ///< a node of the backward pass, which calls ops: MmBackward0
  range,     ///< a named range of time, not a call
};
CallKind call_kind(std::string_view name);

/// The decision of one op of the chain, as its record and the record of the next op show.
enum class Decision : unsigned char {
  backward,
  range,
  composite,  ///< calls other ops, which go through autograd themselves
  through,    ///< autograd first, then its own function, which calls the next op
  calls,      ///< calls the next op
  launches,   ///< its function launches the GPU work
  quiet,      ///< launches nothing
};
Decision decision_of(const Trace& trace, const Walk& walk, std::size_t index);

}  // namespace warpwalk::story

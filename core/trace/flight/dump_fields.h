#pragma once

#include "core/trace/flight/dump.h"
#include "core/trace/pickle/document.h"

namespace warpwalk::trace::flight {

/// Whether a dictionary has the members of a dump.
bool is_dump(const pickle::Document& document, pickle::Value top);

/// Takes groups, statuses and calls from the values of a dump. What is not as expected is left out: calls without a
/// name and a state.
Dump take_dump(const pickle::Document& document, pickle::Value top, StringPool& texts);

}  // namespace warpwalk::trace::flight

#pragma once

#include <optional>
#include <string>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Returns nullopt if two linked traces are equal, else a description of the first difference. Compares texts, not
/// their pool ids.
std::optional<std::string> equal(const Trace& a, const Trace& b);

}  // namespace warpwalk::trace

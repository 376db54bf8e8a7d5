#pragma once

#include <optional>
#include <string>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// None where two linked traces say the same, else the first difference in words. Texts are compared, not their numbers
/// in the pools.
std::optional<std::string> equal(const Trace& a, const Trace& b);

}  // namespace warpwalk::trace

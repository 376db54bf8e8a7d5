#pragma once

#include <optional>
#include <string>

#include "core/ptx/module.h"

namespace warpwalk::ptx {

/// Looks at everything in a module that others rely on without looking: indices in range, kinds that fit, sizes that
/// add up. What is wrong, in words; none where nothing is.
std::optional<std::string> flaw_of(const Module& module);

}  // namespace warpwalk::ptx

#pragma once

#include <optional>
#include <string>

#include "core/ptx/module.h"

namespace warpwalk::ptx {

/// Checks the invariants of a module that other code relies on: indices in range, matching kinds, consistent sizes.
/// Returns a description of the first violation, or nullopt.
std::optional<std::string> flaw_of(const Module& module);

}  // namespace warpwalk::ptx

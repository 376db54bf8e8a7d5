#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::simulated {

/// Joins PTX modules into one, as a linker does: declarations with .extern stand for the definitions of other modules.
/// On failure, returns a one-line error. Modules must not have local symbols of the same name.
base::Result<std::string> join_ptx(std::span<const std::string_view> modules);

/// The functions that a module calls but does not define, apart from those of the device's own library.
std::vector<std::string> undefined_functions(std::string_view ptx);

}  // namespace warpwalk::simulated

#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "core/ptx/module.h"

namespace warpwalk::run {

/// The entry that a person means: the one of this name, else the only one that C++ names so (relu means _Z4reluPfS_i,
/// as nvcc and NVRTC call it without extern "C"). The error is one line that lists the entries there are.
std::variant<const ptx::Function*, std::string> find_entry(const ptx::Module& module, std::string_view name);

}  // namespace warpwalk::run

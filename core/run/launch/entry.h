#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "core/ptx/module.h"

namespace warpwalk::run {

/// Resolves an entry by its exact name or, if it is unambiguous, by its plain C++ name: relu finds _Z4reluPfS_i, as
/// nvcc and NVRTC name it without extern "C". On failure, returns a one-line error that lists the entries.
std::variant<const ptx::Function*, std::string> find_entry(const ptx::Module& module, std::string_view name);

}  // namespace warpwalk::run

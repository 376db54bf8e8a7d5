#pragma once

// This folder reads PTX text into a ptx::Module. core/ptx/forms lists what each instruction may look like.

#include <string_view>
#include <variant>

#include "core/ptx/error.h"
#include "core/ptx/module.h"

namespace warpwalk::ptx {

/// Parses a module as nvcc 13 and NVRTC emit it for sm_75 to sm_90. A function whose body contains something unknown is
/// kept without its body (Function::unsupported), so that the other kernels of the module can run; it is an error if no
/// kernel is left. Instructions that parse but cannot be simulated are rejected before a launch (core/gpu/exec).
std::variant<Module, Error> parse(std::string_view text);

}  // namespace warpwalk::ptx

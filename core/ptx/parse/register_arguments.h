#pragma once

#include "core/ptx/module.h"

namespace warpwalk::ptx {

/// Rewrites a function so that it passes all arguments and return values in .param variables, as code for the ABI does:
/// a call that passes registers or numbers stores them before and loads its results after, a function with parameters
/// in registers (`.func (.reg .b32 d) f (.reg .b32 a)`) loads them at its beginning and stores its return values before
/// it returns. Call it once labels and calls are resolved and checked.
void pass_registers_in_memory(const Module& module, Function& function);

}  // namespace warpwalk::ptx

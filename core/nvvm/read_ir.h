#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/nvvm/ir.h"

namespace warpwalk::nvvm {

/// Reads LLVM IR in its text form. On failure, one line: the line of the IR and what is not understood there.
base::Result<Module> read_ir(std::string_view text);

}  // namespace warpwalk::nvvm

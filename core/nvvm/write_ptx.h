#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/nvvm/ir.h"

namespace warpwalk::nvvm {

/// The PTX of a module's kernels, with a line table of the file `source`. On failure, one line: what is not supported,
/// with the line of the source if it is known.
base::Result<std::string> write_ptx(const Module& module, std::string_view source);

}  // namespace warpwalk::nvvm

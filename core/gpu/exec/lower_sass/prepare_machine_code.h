#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/gpu/exec/launch.h"

namespace warpwalk::gpu {

/// Checks and lowers the machine code of a kernel in a cubin. The program runs as one that was lowered from PTX does,
/// on the same memory and with the same checks, but each instruction is one that the GPU executes. Everything needed is
/// copied from `cubin`. On failure, returns a one-line message without a file name, e.g. "instruction 0x0120: `DMMA...`
/// is not supported by the simulated GPU". `functions`, `places`: as for prepare().
///
/// MUFU gives the bits that an H200 gives (alu/special_function.h).
base::Result<std::shared_ptr<const Program>> prepare_machine_code(std::string_view cubin, std::string_view entry,
                                                                  std::span<const std::string> functions = {},
                                                                  const VariablePlaces& places = {});

}  // namespace warpwalk::gpu

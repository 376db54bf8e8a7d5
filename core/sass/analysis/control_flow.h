#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/sass/elf/cubin.h"
#include "core/sass/forms/decode.h"

namespace warpwalk::sass {

/// The instructions that may execute after one another in a thread, as indices into the decoded code.
struct ControlFlow {
  std::vector<std::vector<std::uint32_t>> successors;
  std::vector<std::vector<std::uint32_t>> predecessors;
  std::vector<bool> reachable;  ///< from the first instruction; padding after the code is not
  /// False if the code has unknown instructions, calls functions in other sections, or has more jumps through tables
  /// and calls than compilers emit.
  bool complete = true;
};

/// The control-flow graph of a function's code. A call continues in the called function, which returns to each of its
/// callers. A BRX may jump to every address in the function's constants that is an instruction of its code.
ControlFlow control_flow(std::span<const Decoded> code, const CubinFunction& function);

}  // namespace warpwalk::sass

#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/program.h"
#include "core/gpu/timing/estimated_code.h"
#include "core/gpu/timing/timing.h"

namespace warpwalk::gpu {

/// Instructions that a warp enters only at the start: a basic block, together with the following ones that ptxas turns
/// into predicated instructions.
struct CodeBlock {
  /// The instructions of the program from first_source to end_source, exclusive. They may be reordered.
  struct Part {
    std::uint32_t first_source = 0, end_source = 0;
    std::vector<EstimatedInstruction> instructions;  ///< folded ones too
  };
  std::vector<Part> parts;
  std::vector<std::uint32_t> successors;  ///< indices of blocks
};

/// The blocks of one function of a program, in program order.
std::vector<CodeBlock> code_blocks(const Program& program, const Function& function, const Timing& timing);

}  // namespace warpwalk::gpu

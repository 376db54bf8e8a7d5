#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/lower/flow.h"
#include "core/gpu/exec/lower/known_values.h"
#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// Estimated number of machine instructions that ptxas would generate for a function. The rules come from comparing the
/// PTX of the reference kernels with their sm_90 code:
/// - folded into operands: constants, width conversions, cvta
/// - fused: mul.wide and a 64-bit add into IMAD.WIDE, shift and add into LEA, chains of logic operations into LOP3,
///   comparisons into their users
/// - expanded: division, square root, 64-bit arithmetic
/// - short branches become predicated instructions
/// - BSSY and BSYNC are added where divergent lanes reconverge.
struct InstructionEstimate {
  std::vector<std::uint8_t> machine_instructions;  ///< by instruction: machine instructions
  std::vector<std::uint8_t> predicated;    ///< by node: 1 if predicated and issued together with the previous node
  std::vector<std::uint8_t> merged_bytes;  ///< by instruction: bytes per lane of a merged shared-memory load; 0 for the
                                           ///< loads merged into it, 255 for all other instructions
  std::vector<std::uint8_t> overhead;      ///< by node: machine instructions without a PTX instruction (BSSY, BSYNC)
};

/// True if i is a wgmma.mma_async with wgmma.commit_group right behind it. The last product of a group commits it.
bool ends_group_of_products(const ptx::Function& function, const ptx::Instruction& i);

InstructionEstimate estimate_instructions(const ptx::Function& function, const ControlFlow& flow,
                                          const SharedPlaces& places);

}  // namespace warpwalk::gpu

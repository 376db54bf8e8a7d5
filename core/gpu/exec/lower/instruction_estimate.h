#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/lower/flow.h"
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
struct SassCount {
  std::vector<std::uint8_t> issues;        ///< by instruction: machine instructions
  std::vector<std::uint8_t> guarded;       ///< by node: 1 if predicated and issued together with the previous node
  std::vector<std::uint8_t> joined_bytes;  ///< by instruction: bytes per lane of a merged shared-memory load; 0 for the
                                           ///< loads merged into it, 255 for all other instructions
  std::vector<std::uint8_t> extra;         ///< by node: machine instructions without a PTX instruction (BSSY, BSYNC)
};

/// Addresses of the shared variables. Their alignment decides which loads can be merged.
struct SharedPlaces {
  const std::vector<std::uint64_t>& of_module;
  const std::vector<std::uint32_t>& of_function;
};
SassCount sass_of(const ptx::Function& function, const Flow& flow, const SharedPlaces& places);

}  // namespace warpwalk::gpu

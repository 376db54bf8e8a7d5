#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/lower/flow.h"
#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// What ptxas would make of a function, as far as the number of machine instructions goes. Found by reading the sm_90
/// code of the reference kernels beside their PTX: what is folded into operands (constants, conversions of width,
/// cvta), what is fused (mul.wide and a 64-bit sum into IMAD.WIDE, shifts and sums into LEA, chains of logic into LOP3,
/// comparisons into what follows), what is expanded (division, square roots, 64-bit arithmetic), short branches that
/// become guards, and the BSSY and BSYNC with which lanes meet again.
struct SassCount {
  std::vector<std::uint8_t> issues;        ///< by instruction
  std::vector<std::uint8_t> guarded;       ///< by node: its instructions are issued under a guard with the node before
  std::vector<std::uint8_t> joined_bytes;  ///< by instruction: shared-memory loads joined into one; 0 for its
                                           ///< followers, 255 for what is none
  std::vector<std::uint8_t> extra;         ///< by node: issues that belong to no instruction (BSSY, BSYNC)
};

/// `shared_address` gives the place of a shared variable, whose alignment decides what may be joined.
struct SharedPlaces {
  const std::vector<std::uint64_t>& of_module;
  const std::vector<std::uint32_t>& of_function;
};
SassCount sass_of(const ptx::Function& function, const Flow& flow, const SharedPlaces& places);

}  // namespace warpwalk::gpu

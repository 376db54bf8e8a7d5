#pragma once

#include "core/ptx/instruction.h"

namespace warpwalk::ptx {

/// The part of an mma or wmma matrix that one lane holds.
struct Fragment {
  int registers = 0;
  Type type = Type::b32;  ///< of each register: b32 (packed f16, bf16, tf32 or bytes), s32, f32 or
                          ///< f64; f16x2: as b32, but not in a register of another type
};

/// Returns the fragment of matrix 'a', 'b', 'c' or 'd' of an mma, wmma.mma, wmma.load or wmma.store, or of 'a' or 'd'
/// of a wgmma.mma_async, derived from the instruction's shape and types.
Fragment fragment_of(const Instruction& instruction, char matrix);

}  // namespace warpwalk::ptx

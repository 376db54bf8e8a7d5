#pragma once

#include "core/ptx/instruction.h"

namespace warpwalk::ptx {

/// What a lane holds of one matrix of mma or wmma.
struct Fragment {
  int registers = 0;
  Type type = Type::b32;  ///< of each: b32 (f16, bf16, tf32 or bytes, as many as fit), s32, f32 or f64
};

/// The fragment of matrix 'a', 'b', 'c' or 'd' of an mma, wmma.mma, wmma.load or wmma.store, by its shape and types.
Fragment fragment_of(const Instruction& instruction, char matrix);

}  // namespace warpwalk::ptx

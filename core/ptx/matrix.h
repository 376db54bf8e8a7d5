#pragma once

#include "core/ptx/instruction.h"

namespace warpwalk::ptx {

/// What a lane holds of one matrix of mma.sync.
struct Fragment {
  int registers = 0;
  Type type = Type::b32;  ///< of each: b32 (packed f16, bf16, tf32, bytes), s32, f32 or f64
};

/// The fragment of d, a, b or c (place 0 to 3) of an mma, from its shape and types: a warp's 32 lanes share the matrix
/// out evenly, small elements packed to 32 bits.
Fragment fragment_of(const Instruction& mma, std::size_t place);

}  // namespace warpwalk::ptx

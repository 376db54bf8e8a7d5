#pragma once

#include "core/gpu/alu/matrix/mma_fragment.h"

/// Products of matrices whose elements have 4 bits or 1 bit.
namespace warpwalk::gpu::alu {

bool is_nibble(ptx::Type type);  ///< u4 or s4

/// The function for mma on nibbles (wrapping or clamped sums) or on bits (sums of the ones in a and b, or in a xor b);
/// null if PTX does not have this shape with these types.
void (*find_narrow(const Mma& mma))(const Mma&, const MmaCall&);

}  // namespace warpwalk::gpu::alu

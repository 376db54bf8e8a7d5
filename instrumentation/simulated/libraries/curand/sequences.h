#pragma once

#include <cstdint>
#include <vector>

#include "kernels/libraries/curand/draw.h"

namespace warpwalk::simulated::libraries {

/// The states of XORWOW's sequences for a seed, 2^67 numbers apart. The first `offset` numbers that they would write
/// in turns are skipped.
std::vector<stand_in::curand::Xorwow> xorwow_states(std::uint64_t seed, std::uint64_t offset, unsigned count);

/// The same for MRG32K3A, 2^76 numbers apart.
std::vector<stand_in::curand::Mrg32k3a> mrg_states(std::uint64_t seed, std::uint64_t offset, unsigned count);

}  // namespace warpwalk::simulated::libraries

#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// Distinct 32-byte sectors that the active lanes touch, each `bytes` (1 to 16, aligned) from its address.
int sectors_of(const std::uint64_t* addresses, std::uint32_t mask, int bytes);

/// How often the 32 banks (4 bytes wide) of shared memory are passed for one access of a warp.
struct Wavefronts {
  int passes = 0;     ///< in all
  int conflicts = 0;  ///< of these, beyond the first of each group of lanes that goes together
};

/// Lanes go together by 32 (up to 4 bytes each), 16 (8 bytes) or 8 (16 bytes); a group takes as many passes as the bank
/// with the most different words. Two groups of a load go as one where every lane wants the same as its neighbour lane
/// ^ 1, or every lane the same as lane ^ 2. Found on an H200: equal to Nsight Compute's counts for 556 patterns of
/// addresses (tests/exec/data/wavefronts.csv).
Wavefronts wavefronts_of(const std::uint64_t* addresses, std::uint32_t mask, int bytes, bool store);

}  // namespace warpwalk::gpu

#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// Passes over the 32 banks (4 bytes wide) of shared memory for one access of a warp.
struct Wavefronts {
  int passes = 0;     ///< total passes
  int conflicts = 0;  ///< passes beyond the first of each group of lanes that is served together
};

/// Computes the passes and bank conflicts of a shared-memory access. Lanes are served in groups of 32 (up to 4 bytes
/// per lane), 16 (8 bytes) or 8 (16 bytes). A group takes as many passes as the maximum number of distinct words in one
/// bank. For loads, two groups are merged if every lane accesses the same address as lane ^ 1, or every lane the same
/// as lane ^ 2. Measured on an H200; matches Nsight Compute's counts for 556 address patterns
/// (tests/reference/wavefronts.csv).
Wavefronts wavefronts_of(const std::uint64_t* addresses, std::uint32_t mask, int bytes, bool store);

}  // namespace warpwalk::gpu

#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// The contents of the caches when a launch starts. L1 is empty then, as at the start of every kernel.
enum class CacheStart : std::uint8_t {
  /// L2 is empty, as after Nsight Compute has flushed the caches.
  cold,
  /// As after other launches of a program: L2 holds the launch's memory (launch/warm_memory.h), and code comes to the
  /// sub-partitions at the rate of the SM's instruction cache (InstructionFetch).
  warm,
  /// As the earlier work of the program has left L2 (launch/cache_state.h). Code comes as in a warm launch.
  carried,
};

}  // namespace warpwalk::gpu

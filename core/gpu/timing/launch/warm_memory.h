#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/program.h"
#include "core/gpu/timing/l2.h"

namespace warpwalk::gpu {

/// A range of global memory.
struct WarmRange {
  std::uint64_t address = 0, bytes = 0;
  bool operator==(const WarmRange&) const = default;
};

/// The memory that earlier launches have left in L2 when a launch starts warm: what its buffers hold before it. Only
/// the last `capacity` bytes, in the order of the buffers, because no more can be in a cache of that size.
std::vector<WarmRange> warm_memory(const Program& program, const Launch& launch, std::uint64_t capacity);

/// Puts the sectors of these ranges into L2.
void warm(L2& l2, const std::vector<WarmRange>& ranges);

}  // namespace warpwalk::gpu

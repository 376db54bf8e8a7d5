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

/// Calls visit(line, sectors) for the lines of 128 bytes in a range, with a bit for each of their sectors of 32 bytes
/// that it touches.
template <class Visit>
void visit_lines(const WarmRange& range, Visit visit) {
  constexpr std::uint64_t line_bytes = 128, sector_bytes = 32;
  const std::uint64_t end = range.address + range.bytes;
  for (std::uint64_t line = range.address / line_bytes; line * line_bytes < end; ++line) {
    std::uint8_t sectors = 0;
    for (std::uint64_t sector = 0; sector < line_bytes / sector_bytes; ++sector) {
      const std::uint64_t at = line * line_bytes + sector * sector_bytes;
      if (at < end && at + sector_bytes > range.address) sectors |= static_cast<std::uint8_t>(1u << sector);
    }
    visit(line, sectors);
  }
}

/// The memory that earlier launches have left in L2 when a launch starts warm: what its buffers hold before it. Only
/// the last `capacity` bytes, in the order of the buffers, because no more can be in a cache of that size.
std::vector<WarmRange> warm_memory(const Program& program, const Launch& launch, std::uint64_t capacity);

/// Puts the sectors of these ranges into L2.
void warm(L2& l2, const std::vector<WarmRange>& ranges);

}  // namespace warpwalk::gpu

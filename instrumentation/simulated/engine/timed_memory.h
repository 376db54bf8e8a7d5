#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gpu/exec/accessed_pages.h"
#include "core/gpu/timing/launch/cache_state.h"

namespace warpwalk::simulated {

/// The part of the lines of 128 bytes in these pages that L2 holds.
double part_held(const gpu::CacheState& caches, std::span<const gpu::AccessedPage> pages);

/// Memory as a launch found it, for running the launch again on the timing model: allocations that it has changed are
/// replaced in its Launch::outer by copies of the pages that it has accessed. The others are accessed as they are.
class TimedMemory {
 public:
  /// `pages`: of the run before, by address. The launch must outlive this, which gives it its memory back.
  TimedMemory(gpu::Launch& launch, std::span<const gpu::AccessedPage> pages);
  ~TimedMemory();
  TimedMemory(const TimedMemory&) = delete;
  TimedMemory& operator=(const TimedMemory&) = delete;

 private:
  struct Copy {
    gpu::OuterMemory* of = nullptr;
    std::uint8_t* original = nullptr;
    std::uint64_t mapped = 0;  ///< bytes of the copy
  };
  std::vector<Copy> copies_;
};

}  // namespace warpwalk::simulated

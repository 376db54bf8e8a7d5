#include "core/gpu/timing/memory_system.h"

#include <algorithm>

namespace warpwalk::gpu {

void MemorySystem::sort(std::vector<MemoryRequest>& requests) const {
  // Each SM's requests are in the order in which it sent them, and SM by SM, so a stable sort makes ties deterministic.
  std::ranges::stable_sort(requests, {}, &MemoryRequest::time);
}

}  // namespace warpwalk::gpu

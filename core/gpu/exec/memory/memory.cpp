#include "core/gpu/exec/memory/memory.h"

#include <algorithm>
#include <utility>

namespace warpwalk::gpu {

namespace {

bool begins_after(std::uint64_t address, const Region& region) { return address < region.base; }

}  // namespace

void Memory::add(Region region) {
  const auto place = std::upper_bound(regions_.begin(), regions_.end(), region.base, begins_after);
  regions_.insert(place, std::move(region));
}

const Region* Memory::find(std::uint64_t address) const {
  const auto after = std::upper_bound(regions_.begin(), regions_.end(), address, begins_after);
  if (after == regions_.begin()) return nullptr;
  const Region& before = *(after - 1);
  return address - before.base < before.bytes ? &before : nullptr;
}

const Region* Memory::nearest(std::uint64_t address, std::int64_t& distance) const {
  const auto after = std::upper_bound(regions_.begin(), regions_.end(), address, begins_after);
  const Region* best = nullptr;
  if (after != regions_.begin()) {
    best = &*(after - 1);
    distance = static_cast<std::int64_t>(address - best->base - best->bytes);
  }
  if (after != regions_.end()) {
    const std::uint64_t ahead = after->base - address;
    if (best == nullptr || ahead < static_cast<std::uint64_t>(distance)) {
      best = &*after;
      distance = -static_cast<std::int64_t>(ahead);
    }
  }
  return best;
}

}  // namespace warpwalk::gpu

#include "core/gpu/timing/sector_cache.h"

#include <algorithm>

namespace warpwalk::gpu {

SectorCache::SectorCache(std::uint64_t lines, unsigned ways)
    : sets_(std::max<std::uint64_t>(1, lines / ways)), ways_(ways), lines_(sets_ * ways) {}

SectorCache::Line* SectorCache::find(std::uint64_t line, std::uint64_t set_hash) {
  Line* const first = &lines_[set_hash % sets_ * ways_];
  for (unsigned way = 0; way < ways_; ++way)
    if (first[way].tag == line) return &first[way];
  return nullptr;
}

SectorCache::Line* SectorCache::victim(std::uint64_t set_hash) {
  Line* const first = &lines_[set_hash % sets_ * ways_];
  Line* best = nullptr;
  for (unsigned way = 0; way < ways_; ++way) {
    Line& line = first[way];
    if (line.tag == empty) return &line;
    if (line.arriving != 0) continue;
    // The difference keeps the order when the counter wraps.
    if (best == nullptr || clock_ - line.last_use > clock_ - best->last_use) best = &line;
  }
  return best;
}

}  // namespace warpwalk::gpu

#include <algorithm>

#include "core/analysis/memory/memory_ledger.h"

namespace warpwalk::analysis {
namespace {

constexpr auto window = static_cast<std::uint64_t>(caching_rules::small_segment);

// Adds a place to the last strip if it is in it or close behind it, else begins another strip. Blocks of the small pool
// are collected in windows of the size of its segments.
void add(std::vector<MemoryStrip>& strips, const MemoryRange& place, bool gpu) {
  const bool small = caching_rules::is_small(place.bytes);
  if (!strips.empty() && place.end() <= strips.back().end()) return;
  const std::uint64_t start = small ? place.address / window * window : place.address;
  const std::uint64_t end = small ? (place.end() + window - 1) / window * window : place.end();
  if (!strips.empty() && !strips.back().segment && strips.back().small == (small && gpu) &&
      start <= strips.back().end() + (small ? 0 : window) && (!small || start < strips.back().end())) {
    strips.back().bytes = static_cast<std::int64_t>(end - strips.back().address);
    return;
  }
  const std::uint64_t from = strips.empty() ? start : std::max(start, std::min(strips.back().end(), place.address));
  strips.push_back({from, static_cast<std::int64_t>(end - from), false, small && gpu, {}});
}

}  // namespace

std::vector<MemoryStrip> strips_of(std::vector<MemoryRange> places, std::vector<MemoryStrip> segments,
                                   const std::vector<MemoryRange>& ranges, bool gpu) {
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  std::sort(segments.begin(), segments.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  std::vector<MemoryStrip> strips;
  std::size_t s = 0;
  for (const MemoryRange& place : places) {
    while (s < segments.size() && segments[s].address <= place.address) {
      segments[s].small = gpu && segments[s].bytes <= caching_rules::small_segment;
      strips.push_back(segments[s++]);
    }
    add(strips, place, gpu);
  }
  while (s < segments.size()) {
    segments[s].small = gpu && segments[s].bytes <= caching_rules::small_segment;
    strips.push_back(segments[s++]);
  }
  // A window ends where a segment begins.
  for (std::size_t i = 1; i < strips.size(); ++i)
    if (strips[i - 1].end() > strips[i].address)
      strips[i - 1].bytes = static_cast<std::int64_t>(strips[i].address - strips[i - 1].address);
  // Each range goes to the strip in which it begins. Both lists are sorted by address.
  std::size_t at = 0;
  for (const MemoryRange& range : ranges) {
    while (at < strips.size() && strips[at].end() <= range.address) ++at;
    if (at < strips.size() && range.address >= strips[at].address) strips[at].ranges.push_back(range);
  }
  return strips;
}

}  // namespace warpwalk::analysis

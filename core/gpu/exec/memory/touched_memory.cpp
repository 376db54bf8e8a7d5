#include "core/gpu/exec/memory/touched_memory.h"

#include <algorithm>

namespace warpwalk::gpu {

namespace {

constexpr std::uint64_t word_bytes = 4, touched_sector_bytes = 32, kept_page_bytes = 4096;

}  // namespace

void TouchedMemory::before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) {
  if (bytes == 0) return;
  Place& place = places_[region];
  if (place.written.empty()) {
    const std::uint64_t words = memory_.regions()[region].bytes / word_bytes + 1;
    place.read_first.resize(words);
    place.written.resize(words);
  }
  if (keep_before_ && kind != Kind::read) keep_pages(region, offset, bytes);
  const std::uint64_t end = std::min(offset + bytes, memory_.regions()[region].bytes);
  for (std::uint64_t word = offset / word_bytes; word * word_bytes < end; ++word) {
    // A write to a part of a word keeps the rest of it, so the word counts as read.
    const bool whole = word * word_bytes >= offset && (word + 1) * word_bytes <= end;
    if ((kind != Kind::write || !whole) && !place.written[word]) place.read_first[word] = true;
    if (kind != Kind::read) place.written[word] = true;
  }
}

void TouchedMemory::keep_pages(std::size_t region, std::uint64_t offset, std::uint64_t bytes) {
  const Region& from = memory_.regions()[region];
  for (std::uint64_t page = offset / kept_page_bytes; page * kept_page_bytes < offset + bytes; ++page) {
    const auto [kept, is_new] = places_[region].pages.try_emplace(page);
    if (!is_new) continue;
    const std::uint64_t first = page * kept_page_bytes, end = std::min(first + kept_page_bytes, from.bytes);
    if (first < end) kept->second.assign(from.data + first, from.data + end);
  }
}

std::vector<std::uint8_t> TouchedMemory::before(std::size_t region, std::uint64_t offset, std::uint64_t bytes) const {
  const Region& from = memory_.regions()[region];
  std::vector<std::uint8_t> contents(from.data + offset, from.data + offset + bytes);
  for (std::uint64_t page = offset / kept_page_bytes; page * kept_page_bytes < offset + bytes; ++page) {
    const auto kept = places_[region].pages.find(page);
    if (kept == places_[region].pages.end()) continue;
    const std::uint64_t first = std::max(offset, page * kept_page_bytes);
    const std::uint64_t end = std::min(offset + bytes, page * kept_page_bytes + kept->second.size());
    if (first >= end) continue;
    std::copy_n(kept->second.begin() + static_cast<std::ptrdiff_t>(first - page * kept_page_bytes), end - first,
                contents.begin() + static_cast<std::ptrdiff_t>(first - offset));
  }
  return contents;
}

std::vector<TouchedRange> TouchedMemory::ranges(const Launch& launch) const {
  std::vector<TouchedRange> found;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Region& region = memory_.regions()[i];
    const Place& place = places_[i];
    if (place.written.empty()) continue;
    const auto outer = std::ranges::lower_bound(launch.outer, region.base, {}, &OuterMemory::address);
    const bool is_outer = outer != launch.outer.end() && outer->address == region.base;
    if (!is_outer && std::ranges::find(launch.buffers, region.base, &Buffer::address) == launch.buffers.end()) continue;
    for (std::uint64_t at = 0; at < region.bytes; at += touched_sector_bytes) {
      TouchedRange sector{region.base + at, std::min(touched_sector_bytes, region.bytes - at)};
      bool all_written = true;
      for (std::uint64_t word = at / word_bytes; word * word_bytes < at + sector.bytes; ++word) {
        sector.read_first = sector.read_first || place.read_first[word];
        sector.written = sector.written || place.written[word];
        all_written = all_written && place.written[word];
      }
      if (!sector.read_first && !sector.written) continue;
      // Words of the sector that the launch does not touch keep what was there.
      sector.read_first = sector.read_first || !all_written;
      const bool continues = !found.empty() && found.back().address + found.back().bytes == sector.address &&
                             found.back().read_first == sector.read_first && found.back().written == sector.written;
      if (continues)
        found.back().bytes += sector.bytes;
      else
        found.push_back(sector);
    }
  }
  std::ranges::sort(found, {}, &TouchedRange::address);
  if (!keep_before_) return found;
  for (TouchedRange& range : found) {
    const auto& regions = memory_.regions();
    const auto after = std::ranges::upper_bound(regions, range.address, {}, &Region::base);
    const auto region = static_cast<std::size_t>(after - regions.begin()) - 1;
    range.before = before(region, range.address - regions[region].base, range.bytes);
  }
  return found;
}

}  // namespace warpwalk::gpu

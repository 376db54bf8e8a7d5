#include "core/gpu/exec/memory/touched_memory.h"

#include <algorithm>

namespace warpwalk::gpu {

namespace {

constexpr std::uint64_t touched_sector_bytes = 32;

}  // namespace

TouchedMemory::Page& TouchedMemory::page_of(std::size_t region, std::uint64_t number) {
  Place& place = places_[region];
  if (place.last == nullptr || place.last_number != number) {
    place.last = &place.pages[number];
    place.last_number = number;
  }
  return *place.last;
}

void TouchedMemory::before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) {
  if (bytes == 0) return;
  const Region& of = memory_.regions()[region];
  const std::uint64_t end = std::min(offset + bytes, of.bytes);
  for (std::uint64_t word = offset / word_bytes; word * word_bytes < end; ++word) {
    const std::uint64_t number = word * word_bytes / page_bytes;
    Page& page = page_of(region, number);
    if (keep_before_ && kind != Kind::read && page.before.empty()) keep_page(of, number, page);
    const std::size_t at = word % (page_bytes / word_bytes);
    // A write to a part of a word keeps the rest of it, so the word counts as read.
    const bool whole = word * word_bytes >= offset && (word + 1) * word_bytes <= end;
    if ((kind != Kind::write || !whole) && !page.written[at]) page.read_first[at] = true;
    if (kind != Kind::read) page.written[at] = true;
  }
}

void TouchedMemory::keep_page(const Region& region, std::uint64_t number, Page& page) const {
  const std::uint64_t first = number * page_bytes, end = std::min(first + page_bytes, region.bytes);
  page.before.assign(region.data + first, region.data + end);
}

std::vector<std::uint8_t> TouchedMemory::before(std::size_t region, std::uint64_t offset, std::uint64_t bytes) const {
  const Region& from = memory_.regions()[region];
  std::vector<std::uint8_t> contents(from.data + offset, from.data + offset + bytes);
  const auto& pages = places_[region].pages;
  for (auto page = pages.lower_bound(offset / page_bytes); page != pages.end(); ++page) {
    const std::uint64_t start = page->first * page_bytes;
    if (start >= offset + bytes) break;
    const std::uint64_t first = std::max(offset, start);
    const std::uint64_t end = std::min(offset + bytes, start + page->second.before.size());
    if (first >= end) continue;
    std::copy_n(page->second.before.begin() + static_cast<std::ptrdiff_t>(first - start), end - first,
                contents.begin() + static_cast<std::ptrdiff_t>(first - offset));
  }
  return contents;
}

std::vector<TouchedRange> TouchedMemory::ranges(const Launch& launch) const {
  std::vector<TouchedRange> found;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Region& region = memory_.regions()[i];
    const Place& place = places_[i];
    if (place.pages.empty()) continue;
    const auto outer = std::ranges::lower_bound(launch.outer, region.base, {}, &OuterMemory::address);
    const bool is_outer = outer != launch.outer.end() && outer->address == region.base;
    if (!is_outer && std::ranges::find(launch.buffers, region.base, &Buffer::address) == launch.buffers.end()) continue;
    for (const auto& [number, page] : place.pages) {
      const std::uint64_t first = number * page_bytes, end = std::min(first + page_bytes, region.bytes);
      for (std::uint64_t at = first; at < end; at += touched_sector_bytes) {
        TouchedRange sector{region.base + at, std::min(touched_sector_bytes, region.bytes - at)};
        bool all_written = true;
        for (std::uint64_t byte = at; byte < at + sector.bytes; byte += word_bytes) {
          const std::size_t word = (byte - first) / word_bytes;
          sector.read_first = sector.read_first || page.read_first[word];
          sector.written = sector.written || page.written[word];
          all_written = all_written && page.written[word];
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

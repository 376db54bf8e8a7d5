#include "core/gpu/exec/memory/snapshots.h"

#include <algorithm>
#include <utility>

#include "core/gpu/exec/accessed_pages.h"
#include "core/gpu/exec/memory/footprint.h"

namespace warpwalk::gpu {

Snapshots::Pages& Snapshots::pages_of(std::size_t region) {
  RegionPages& of = regions_[region];
  Pages* pages = of.pages.load(std::memory_order_acquire);
  if (pages != nullptr) return *pages;
  const std::lock_guard lock(mutex_);
  if (of.owned == nullptr) {
    of.owned = std::make_unique<Pages>(memory_.regions()[region].bytes / page_bytes + 1);
    of.pages.store(of.owned.get(), std::memory_order_release);
  }
  return *of.owned;
}

void Snapshots::copy_page(const Region& region, Pages& pages, std::uint64_t page) {
  const std::lock_guard lock(mutex_);
  if (pages.states[page].load(std::memory_order_relaxed) == written) return;
  const std::uint64_t first = page * page_bytes, end = std::min(first + page_bytes, region.bytes);
  pages.before[page].assign(region.data + first, region.data + end);
  pages.states[page].store(written, std::memory_order_release);
}

void Snapshots::before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) {
  const Region& of = memory_.regions()[region];
  if (of.read_only || bytes == 0 || offset >= of.bytes) return;
  Pages& pages = pages_of(region);
  const std::uint64_t last = (std::min(offset + bytes, of.bytes) - 1) / page_bytes;
  for (std::uint64_t page = offset / page_bytes; page <= last; ++page) {
    std::atomic<std::uint8_t>& state = pages.states[page];
    if (kind != Kind::read) {
      if (state.load(std::memory_order_acquire) != written) copy_page(of, pages, page);
    } else if (std::uint8_t known = state.load(std::memory_order_relaxed); known == untouched) {
      state.compare_exchange_strong(known, read, std::memory_order_relaxed);
    }
  }
}

void Snapshots::restore(const std::vector<const Footprint*>& footprints) {
  constexpr std::uint64_t word_bytes = 4;
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    if (regions_[i].owned == nullptr) continue;
    const Region& to = memory_.regions()[i];
    for (const auto& [page, before] : regions_[i].owned->before)
      for (std::uint64_t at = 0; at < before.size(); at += word_bytes) {
        const std::uint64_t place = page * page_bytes + at;
        if (std::ranges::any_of(footprints, [&](const Footprint* of) { return of->changes(i, place / word_bytes); }))
          std::copy_n(before.data() + at, std::min(word_bytes, before.size() - at), to.data + place);
      }
  }
}

std::vector<AccessedPage> Snapshots::take() {
  std::vector<AccessedPage> taken;
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    if (regions_[i].owned == nullptr) continue;
    const Region& region = memory_.regions()[i];
    Pages& pages = *regions_[i].owned;
    for (std::uint64_t page = 0; page < pages.states.size(); ++page) {
      if (pages.states[page].load(std::memory_order_relaxed) == untouched) continue;
      const std::uint64_t first = page * page_bytes;
      taken.push_back({region.base + first, std::min(page_bytes, region.bytes - first), std::move(pages.before[page])});
    }
  }
  std::ranges::sort(taken, {}, &AccessedPage::address);
  return taken;
}

}  // namespace warpwalk::gpu

#include "core/gpu/exec/memory/footprint.h"

#include <algorithm>

namespace warpwalk::gpu {

Footprint::Footprint(const Memory& memory, Snapshots& snapshots)
    : memory_(memory), snapshots_(snapshots), places_(memory.regions().size()) {}

void Footprint::before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) {
  const Region& of = memory_.regions()[region];
  if (of.read_only) return;
  snapshots_.before_access(region, offset, bytes, kind);
  std::vector<std::unique_ptr<Page>>& pages = places_[region].pages;
  if (pages.empty()) pages.resize(of.bytes / page_bytes + 1);
  const std::uint64_t first = offset / word_bytes, last = (offset + bytes - 1) / word_bytes;
  for (std::uint64_t word = first; word <= last;) {
    std::unique_ptr<Page>& page = pages[word / page_words];
    if (page == nullptr) page = std::make_unique<Page>();
    page->changed = page->changed || kind != Kind::read;
    Bits& bits = page->kinds[static_cast<std::size_t>(kind)];
    // Set all bits of this 32-bit entry at once.
    const std::uint64_t shift = word % entry_words;
    const std::uint64_t count = std::min(entry_words - shift, last - word + 1);
    bits[word % page_words / entry_words] |= static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << shift);
    word += count;
  }
}

bool Footprint::changes(std::size_t region, std::uint64_t word) const {
  const std::vector<std::unique_ptr<Page>>& pages = places_[region].pages;
  if (pages.empty() || pages[word / page_words] == nullptr) return false;
  const Page& page = *pages[word / page_words];
  const auto has = [&](Kind kind) {
    const std::uint32_t entry = page.kinds[static_cast<std::size_t>(kind)][word % page_words / entry_words];
    return (entry >> word % entry_words & 1) != 0;
  };
  return has(Kind::write) || has(Kind::atomic);
}

bool Footprint::conflict_on_page(const std::vector<const Page*>& pages) {
  for (std::size_t i = 0; i < page_words / entry_words; ++i) {
    std::uint32_t reads = 0, writes = 0, atomics = 0;
    for (const Page* const page : pages) {
      const auto at = [&](Kind kind) { return page->kinds[static_cast<std::size_t>(kind)][i]; };
      const std::uint32_t r = at(Kind::read), w = at(Kind::write), a = at(Kind::atomic);
      if ((w & (reads | writes | atomics)) != 0 || (r & (writes | atomics)) != 0 || (a & (reads | writes)) != 0)
        return true;
      reads |= r;
      writes |= w;
      atomics |= a;
    }
  }
  return false;
}

bool Footprint::conflict(const std::vector<const Footprint*>& footprints) {
  if (footprints.empty()) return false;
  std::vector<const Page*> pages;
  for (std::size_t region = 0; region < footprints.front()->places_.size(); ++region) {
    const std::uint64_t count = footprints.front()->memory_.regions()[region].bytes / page_bytes + 1;
    if (std::ranges::all_of(footprints, [&](const Footprint* of) { return of->places_[region].pages.empty(); }))
      continue;
    for (std::uint64_t i = 0; i < count; ++i) {
      pages.clear();
      for (const Footprint* const of : footprints)
        if (const auto& own = of->places_[region].pages; !own.empty() && own[i] != nullptr)
          pages.push_back(own[i].get());
      const bool changed = std::ranges::any_of(pages, [](const Page* page) { return page->changed; });
      if (pages.size() > 1 && changed && conflict_on_page(pages)) return true;
    }
  }
  return false;
}

}  // namespace warpwalk::gpu

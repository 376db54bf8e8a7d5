#include "core/gpu/history/writer/write_index.h"

namespace warpwalk::gpu {

bool WriteIndex::enters(const Machine& machine) {
  if (places_.empty())
    for (const Region& region : machine.context.memory->regions()) {
      Place& place = places_.emplace_back();
      place.base = region.base;
      place.bytes = region.bytes;
      place.pages.resize(region.bytes / (4 * words_per_page) + 1);
    }
  const BlockState& block = *machine.block;
  const std::uint64_t first = block.cluster != nullptr ? block.cluster->blocks.front()->index : block.index;
  group_ = static_cast<std::uint32_t>(first) + 1;
  return false;
}

void WriteIndex::note(Place& place, std::uint64_t word, bool whole) {
  std::unique_ptr<Page>& page = place.pages[word / words_per_page];
  if (page == nullptr) page = std::make_unique<Page>();
  std::uint32_t& first = page->first[word % words_per_page];
  std::uint32_t& last = page->last[word % words_per_page];
  if (first == 0) first = group_;
  const bool same = last == 0 || last == group_;
  last = same || whole ? group_ : group_ | mixed_flag;
}

void WriteIndex::before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) {
  if (kind == Kind::read || region >= places_.size()) return;
  Place& place = places_[region];
  const std::uint64_t end = offset + bytes;
  for (std::uint64_t word = offset / 4; word * 4 < end; ++word)
    note(place, word, word * 4 >= offset && word * 4 + 4 <= end);
}

std::optional<WriteIndex::Word> WriteIndex::word(std::uint64_t address) const {
  for (const Place& place : places_) {
    if (address < place.base || address - place.base >= place.bytes) continue;
    const std::uint64_t word = (address - place.base) / 4;
    const Page* const page = place.pages[word / words_per_page].get();
    if (page == nullptr || page->first[word % words_per_page] == 0) return {};
    const std::uint32_t last = page->last[word % words_per_page];
    return Word{page->first[word % words_per_page] - 1, (last & ~mixed_flag) - 1, (last & mixed_flag) != 0};
  }
  return {};
}

}  // namespace warpwalk::gpu

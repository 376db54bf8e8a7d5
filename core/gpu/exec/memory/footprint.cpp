#include "core/gpu/exec/memory/footprint.h"

#include <algorithm>

namespace warpwalk::gpu {

Snapshots::Snapshots(const Memory& memory)
    : memory_(memory),
      taken_(std::make_unique<std::atomic<bool>[]>(memory.regions().size())),
      bytes_(memory.regions().size()) {}

void Snapshots::copy_region(std::size_t region) {
  const std::lock_guard lock(mutex_);
  if (taken_[region].load(std::memory_order_relaxed)) return;
  const Region& of = memory_.regions()[region];
  bytes_[region].assign(of.data, of.data + of.bytes);
  taken_[region].store(true, std::memory_order_release);
}

void Snapshots::restore(const std::vector<const Footprint*>& footprints) {
  constexpr std::uint64_t word_bytes = 4;
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    if (!taken_[i]) continue;
    const Region& to = memory_.regions()[i];
    for (std::uint64_t at = 0; at < to.bytes; at += word_bytes)
      if (std::ranges::any_of(footprints, [&](const Footprint* of) { return of->changes(i, at / word_bytes); }))
        std::copy_n(bytes_[i].data() + at, std::min(word_bytes, to.bytes - at), to.data + at);
  }
}

Footprint::Footprint(const Memory& memory, Snapshots& snapshots)
    : memory_(memory), snapshots_(snapshots), places_(memory.regions().size()) {}

void Footprint::before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) {
  const Region& of = memory_.regions()[region];
  if (of.read_only) return;
  if (kind != Kind::read) snapshots_.before_write(region);
  Bits& bits = places_[region].kinds[static_cast<std::size_t>(kind)];
  if (bits.empty()) bits.resize(of.bytes / 128 + 1);
  const std::uint64_t first = offset / 4, last = (offset + bytes - 1) / 4;
  for (std::uint64_t word = first; word <= last;) {
    // Set all bits of this 32-bit entry at once.
    const std::uint64_t shift = word % 32;
    const std::uint64_t count = std::min<std::uint64_t>(32 - shift, last - word + 1);
    bits[word / 32] |= static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << shift);
    word += count;
  }
}

bool Footprint::conflict(const std::vector<const Footprint*>& footprints) {
  if (footprints.empty()) return false;
  const std::size_t regions = footprints.front()->places_.size();
  for (std::size_t region = 0; region < regions; ++region) {
    const std::size_t numbers = footprints.front()->memory_.regions()[region].bytes / 128 + 1;
    const auto at = [region](const Footprint* of, Kind kind, std::size_t i) {
      const Bits& bits = of->places_[region].kinds[static_cast<std::size_t>(kind)];
      return bits.empty() ? 0 : bits[i];
    };
    const bool written = std::any_of(footprints.begin(), footprints.end(), [&](const Footprint* of) {
      return !of->places_[region].kinds[1].empty() || !of->places_[region].kinds[2].empty();
    });
    if (!written) continue;
    for (std::size_t i = 0; i < numbers; ++i) {
      std::uint32_t reads = 0, writes = 0, atomics = 0;
      for (const Footprint* const of : footprints) {
        const std::uint32_t r = at(of, Kind::read, i), w = at(of, Kind::write, i), a = at(of, Kind::atomic, i);
        if ((w & (reads | writes | atomics)) != 0 || (r & (writes | atomics)) != 0 || (a & (reads | writes)) != 0)
          return true;
        reads |= r;
        writes |= w;
        atomics |= a;
      }
    }
  }
  return false;
}

}  // namespace warpwalk::gpu

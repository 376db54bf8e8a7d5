#include "core/analysis/memory/memory_ledger.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::analysis {
namespace {

using trace::absent;

constexpr std::size_t max_entries = 8192;  // addresses; PyTorch uses few of them, again and again
constexpr std::size_t slot_count = 4 * max_entries;
constexpr std::size_t max_segments = 512;

std::size_t slot_of(std::uint64_t address) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;  // 2^64 / the golden ratio: spreads neighbouring keys
  constexpr int bits = 15;
  static_assert(slot_count == std::size_t{1} << bits);
  return static_cast<std::size_t>(address * golden >> (64 - bits));
}

}  // namespace

MemoryLedger::MemoryLedger(MemoryMap& map, std::int64_t at, std::int64_t from, std::int64_t to)
    : map_(map), at_(at), from_(from), to_(std::max(to, from + 1)), slots_(slot_count, 0) {}

MemoryEntry* MemoryLedger::entry(std::uint64_t address) {
  for (std::size_t slot = slot_of(address);; slot = (slot + 1) % slot_count) {
    if (slots_[slot] == 0) {
      if (entries_.size() == max_entries) return nullptr;
      entries_.push_back({});
      entries_.back().address = address;
      slots_[slot] = static_cast<std::uint32_t>(entries_.size());
      return &entries_.back();
    }
    MemoryEntry& found = entries_[slots_[slot] - 1];
    if (found.address == address) return &found;
  }
}

void MemoryLedger::point(std::int64_t time, std::int64_t allocated, std::int64_t reserved) {
  if (map_.points.empty() || time >= next_point_) {
    map_.points.push_back({time, allocated, allocated, allocated, reserved});
    // Later changes in the same part of the axis are merged into this point.
    const double part = (static_cast<double>(to_) - static_cast<double>(from_)) / static_cast<double>(max_points - 1);
    const double share = std::clamp((static_cast<double>(time) - static_cast<double>(from_)) / part, 0.0,
                                    static_cast<double>(max_points - 1));
    next_point_ = share >= static_cast<double>(max_points - 1)
                      ? std::numeric_limits<std::int64_t>::max()
                      : from_ + static_cast<std::int64_t>(std::ceil((std::floor(share) + 1) * part));
    return;
  }
  MemoryPoint& last = map_.points.back();
  last.allocated = allocated;
  last.reserved = reserved;
  if (allocated != absent) {
    last.allocated_low = last.allocated_low == absent ? allocated : std::min(last.allocated_low, allocated);
    last.allocated_high = std::max(last.allocated_high, allocated);  // `absent` is less than any total
  }
}

void MemoryLedger::change(std::int64_t time, std::uint64_t address, bool addressed, std::int64_t bytes,
                          std::int64_t allocated, std::int64_t reserved, std::size_t record) {
  point(time, allocated, reserved);
  if (allocated != absent && allocated > map_.peak_allocated) {
    map_.peak_allocated = allocated;
    map_.peak_time = time;
  }
  map_.peak_reserved = std::max(map_.peak_reserved, reserved);
  const bool until_now = time <= at_;
  if (first_ && !until_now) {
    map_.before_first = true;
    map_.allocated = allocated == absent ? absent : std::max<std::int64_t>(0, allocated - bytes);
    map_.reserved = reserved;
  }
  if (until_now) {
    map_.allocated = allocated;
    map_.reserved = reserved;
  }
  if (reserved != absent && last_reserved_ != absent && reserved < last_reserved_) ++epoch_;
  // The totals show that the driver gave a segment. If its size follows the rules, the block is at its start.
  const std::int64_t grown = reserved != absent && last_reserved_ != absent ? reserved - last_reserved_ : 0;
  if (map_.space.gpu && addressed && bytes > 0 && grown > 0 && grown == caching_rules::segment_for(bytes))
    segment(address, grown);
  if (reserved != absent) last_reserved_ = reserved;
  first_ = false;
  if (until_now) epoch_at_ = epoch_;
  if (!addressed) return;

  const std::size_t known = entries_.size();
  MemoryEntry* const e = entry(address);
  if (e == nullptr) {
    ++map_.not_followed;
    return;
  }
  const bool is_new = entries_.size() > known;
  const std::int64_t size = bytes < 0 ? -bytes : bytes;
  e->largest = std::max(e->largest, size);
  if (bytes > 0) {
    if (!until_now) return;
    e->held = true;
    e->bytes = size;
    e->since = time;
    e->record = record;
    return;
  }
  if (until_now) {
    e->kept = e->kept_epoch == epoch_ ? std::max(e->kept, size) : size;
    e->kept_epoch = epoch_;
    e->held = false;
  } else if (is_new) {  // freed but never seen allocated: it was there before the recording began
    e->held = true;
    e->bytes = size;
  }
}

void MemoryLedger::present(std::uint64_t address, std::int64_t bytes, std::size_t record) {
  MemoryEntry* const e = entry(address);
  if (e == nullptr) {
    ++map_.not_followed;
    return;
  }
  e->largest = std::max(e->largest, bytes);
  e->held = true;
  e->bytes = bytes;
  e->record = record;
}

void MemoryLedger::segment(std::uint64_t address, std::int64_t bytes) {
  for (const MemoryStrip& known : segments_)
    if (address < known.end() && known.address < address + static_cast<std::uint64_t>(bytes)) return;
  if (segments_.size() < max_segments) segments_.push_back({address, bytes, true, false, {}});
}

std::vector<MemoryRange> MemoryLedger::ranges() const {
  // By address: the blocks, and between them the ranges that were blocks and are kept in the cache.
  std::vector<MemoryRange> blocks, kept;
  for (const MemoryEntry& e : entries_) {
    if (e.held && e.bytes > 0) blocks.push_back({e.address, e.bytes, MemoryRange::State::block, e.since, e.record});
    if (e.kept > 0 && e.kept_epoch == epoch_at_)
      kept.push_back({e.address, e.kept, MemoryRange::State::cached, before_record, trace::no_record});
  }
  const auto by_address = [](const MemoryRange& a, const MemoryRange& b) { return a.address < b.address; };
  std::sort(blocks.begin(), blocks.end(), by_address);
  std::sort(kept.begin(), kept.end(), by_address);
  std::vector<MemoryRange> out;
  std::size_t b = 0;
  std::uint64_t done = 0;  // everything below is covered
  const auto blocks_until = [&](std::uint64_t address) {
    while (b < blocks.size() && blocks[b].address <= address) {
      done = std::max(done, blocks[b].end());
      out.push_back(blocks[b++]);
    }
  };
  for (const MemoryRange& free : kept) {
    std::uint64_t from = std::max(free.address, done);
    while (from < free.end()) {
      blocks_until(from);
      from = std::max(from, done);
      const std::uint64_t to = b < blocks.size() ? std::min(free.end(), blocks[b].address) : free.end();
      if (to <= from) break;
      // Free neighbours are one free range, as in the allocator.
      if (!out.empty() && out.back().state == MemoryRange::State::cached && out.back().end() == from)
        out.back().bytes += static_cast<std::int64_t>(to - from);
      else
        out.push_back(
            {from, static_cast<std::int64_t>(to - from), MemoryRange::State::cached, before_record, trace::no_record});
      done = from = to;
    }
  }
  blocks_until(std::numeric_limits<std::uint64_t>::max());
  return out;
}

void MemoryLedger::finish() {
  const std::vector<MemoryRange> now = ranges();
  for (const MemoryRange& range : now) {
    if (range.state != MemoryRange::State::block) continue;
    ++map_.blocks;
    map_.seen += range.bytes;
  }
  std::vector<MemoryRange> places;
  for (const MemoryEntry& e : entries_)
    if (e.largest > 0) places.push_back({e.address, e.largest, MemoryRange::State::block, 0, trace::no_record});
  map_.strips = strips_of(std::move(places), std::move(segments_), now, map_.space.gpu);
}

}  // namespace warpwalk::analysis

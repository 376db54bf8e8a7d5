#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/memory/memory_map.h"

namespace warpwalk::analysis {

/// The block at one address.
struct MemoryEntry {
  std::uint64_t address = 0;
  std::int64_t largest = 0;  ///< bytes of the largest block ever at this address
  // At the requested moment:
  bool held = false;       ///< there is a block
  std::int64_t bytes = 0;  ///< of the block
  std::int64_t since = before_record;
  std::size_t record = trace::no_record;
  std::int64_t kept = 0;         ///< bytes from the address on that were blocks and are kept in the cache
  std::uint32_t kept_epoch = 0;  ///< how many times the cache had been released before
};

/// Takes the changes of one memory in order, and keeps the state at one moment.
class MemoryLedger {
 public:
  MemoryLedger(MemoryMap& map, std::int64_t at, std::int64_t from, std::int64_t to);

  /// Enters an allocation (or, with negative bytes, a free); the totals are those after it, `absent` if not recorded.
  void change(std::int64_t time, std::uint64_t address, bool addressed, std::int64_t bytes, std::int64_t allocated,
              std::int64_t reserved, std::size_t record);
  /// Enters a block that was allocated before the recording began.
  void present(std::uint64_t address, std::int64_t bytes, std::size_t record);
  /// Enters a segment from the record. Without a record, a segment is found only if the totals show that it was
  /// allocated.
  void segment(std::uint64_t address, std::int64_t bytes);
  /// Completes the map.
  void finish();

 private:
  MemoryEntry* entry(std::uint64_t address);
  void point(std::int64_t time, std::int64_t allocated, std::int64_t reserved);
  std::vector<MemoryRange> ranges() const;

  MemoryMap& map_;
  const std::int64_t at_;
  const std::int64_t from_;
  const std::int64_t to_;
  std::vector<MemoryEntry> entries_;
  std::vector<std::uint32_t> slots_;  // open addressing; 0 is free, else the entry's number + 1
  std::vector<MemoryStrip> segments_;
  std::int64_t next_point_ = 0;  // a change at or after this time gets its own point
  std::int64_t last_reserved_ = trace::absent;
  std::uint32_t epoch_ = 0;     // how many times reserved shrank
  std::uint32_t epoch_at_ = 0;  // the same, up to the moment
  bool first_ = true;
};

/// Groups ranges and known segments into strips. `places` are all addresses that occur in the trace.
std::vector<MemoryStrip> strips_of(std::vector<MemoryRange> places, std::vector<MemoryStrip> segments,
                                   const std::vector<MemoryRange>& ranges, bool gpu);

}  // namespace warpwalk::analysis

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/exec/memory/memory_observer.h"

namespace warpwalk::gpu {

class Footprint;

/// Copies of the original contents of each region, taken before its first write.
class Snapshots {
 public:
  explicit Snapshots(const Memory& memory);
  /// Call before each write to the region; cheap after the first call.
  void before_write(std::size_t region) {
    if (!taken_[region].load(std::memory_order_acquire)) copy_region(region);
  }
  /// Restores the original contents of the words that were written or changed by atomics: the host may have changed
  /// others of its memory meanwhile.
  void restore(const std::vector<const Footprint*>& footprints);

 private:
  void copy_region(std::size_t region);

  const Memory& memory_;
  std::unique_ptr<std::atomic<bool>[]> taken_;
  std::vector<std::vector<std::uint8_t>> bytes_;
  std::mutex mutex_;
};

/// The words of global memory that the blocks on one host thread have read, written, or changed by order-independent
/// atomics. Each host thread runs its blocks in ascending order. If no two threads' footprints conflict, the result
/// equals that of running the blocks one after another; otherwise the launch is run again in order.
class Footprint final : public MemoryObserver {
 public:
  Footprint(const Memory& memory, Snapshots& snapshots);

  void before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) override;

  /// True if two footprints conflict, so that the result may depend on the order.
  static bool conflict(const std::vector<const Footprint*>& footprints);

  /// True if the 4-byte word of a region was written or changed by an atomic.
  bool changes(std::size_t region, std::uint64_t word) const {
    const auto has = [&](const Bits& bits) { return !bits.empty() && (bits[word / 32] >> word % 32 & 1) != 0; };
    return has(places_[region].kinds[1]) || has(places_[region].kinds[2]);
  }

 private:
  using Bits = std::vector<std::uint32_t>;  ///< one bit per 4-byte word; empty: none set
  struct Place {
    Bits kinds[3];
  };
  const Memory& memory_;
  Snapshots& snapshots_;
  std::vector<Place> places_;  ///< by region
};

}  // namespace warpwalk::gpu

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/gpu/exec/memory/memory.h"

namespace warpwalk::gpu {

/// What each region held before anybody wrote to it, taken at its first write.
class Snapshots {
 public:
  explicit Snapshots(const Memory& memory);
  /// Call before a write to the region; cheap after the first.
  void before_write(std::size_t region) {
    if (!taken_[region].load(std::memory_order_acquire)) take(region);
  }
  /// Puts everything back.
  void restore();

 private:
  void take(std::size_t region);

  const Memory& memory_;
  std::unique_ptr<std::atomic<bool>[]> taken_;
  std::vector<std::vector<std::uint8_t>> bytes_;
  std::mutex mutex_;
};

/// Which words of global memory the blocks on one host thread have read, written, or changed by atomics whose order
/// does not matter. A thread takes blocks in rising order, so where no two threads' footprints contradict each other
/// the launch has gone as if its blocks had run one after the other; otherwise it is run again in order.
class Footprint {
 public:
  enum class Kind : std::uint8_t { read, write, atomic };

  Footprint(const Memory& memory, Snapshots& snapshots);

  void touch(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind);

  /// Whether two of these cannot have happened at the same time with a certain outcome.
  static bool contradict(const std::vector<const Footprint*>& footprints);

 private:
  using Bits = std::vector<std::uint32_t>;  ///< a bit for each word of 4 bytes; empty: none
  struct Place {
    Bits kinds[3];
  };
  const Memory& memory_;
  Snapshots& snapshots_;
  std::vector<Place> places_;  ///< by region
};

}  // namespace warpwalk::gpu

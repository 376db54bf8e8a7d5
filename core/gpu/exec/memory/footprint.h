#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/exec/memory/memory_observer.h"
#include "core/gpu/exec/memory/snapshots.h"

namespace warpwalk::gpu {

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
  bool changes(std::size_t region, std::uint64_t word) const;

 private:
  static constexpr std::uint64_t word_bytes = 4, entry_words = 32;
  static constexpr std::uint64_t page_bytes = std::uint64_t{64} << 10, page_words = page_bytes / word_bytes;
  using Bits = std::array<std::uint32_t, page_words / entry_words>;  ///< one bit per 4-byte word
  /// A page of memory, by kind of access.
  struct Page {
    Bits kinds[3]{};
    bool changed = false;  ///< written, or changed by atomics
  };
  struct Place {
    std::vector<std::unique_ptr<Page>> pages;  ///< null: not accessed; empty: none is
  };
  static bool conflict_on_page(const std::vector<const Page*>& pages);

  const Memory& memory_;
  Snapshots& snapshots_;
  std::vector<Place> places_;  ///< by region
};

}  // namespace warpwalk::gpu

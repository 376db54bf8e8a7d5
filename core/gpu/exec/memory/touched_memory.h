#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <vector>

#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/exec/memory/memory_observer.h"

namespace warpwalk::gpu {

/// Notes which words of global memory a launch reads before it writes them, and which it writes.
class TouchedMemory final : public MemoryObserver {
 public:
  /// `keep_before`: also keeps the contents that the launch replaces.
  explicit TouchedMemory(const Memory& memory, bool keep_before = false)
      : memory_(memory), keep_before_(keep_before), places_(memory.regions().size()) {}

  void before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) override;

  /// The sectors of the launch's buffers and outer memory that were accessed (SimulateOptions::touched). Buffers
  /// without an address of their own are left out.
  std::vector<TouchedRange> ranges(const Launch& launch) const;

 private:
  static constexpr std::uint64_t word_bytes = 4, page_bytes = 4096;
  struct Page {
    std::bitset<page_bytes / word_bytes> read_first, written;  ///< by word
    std::vector<std::uint8_t> before;                          ///< as it was before the first write; empty: not kept
  };
  struct Place {
    std::map<std::uint64_t, Page> pages;  ///< by number; those that were accessed
    std::uint64_t last_number = 0;
    Page* last = nullptr;  ///< the page that was accessed last; null: none
  };
  Page& page_of(std::size_t region, std::uint64_t number);
  void keep_page(const Region& region, std::uint64_t number, Page& page) const;
  std::vector<std::uint8_t> before(std::size_t region, std::uint64_t offset, std::uint64_t bytes) const;

  const Memory& memory_;
  const bool keep_before_;
  std::vector<Place> places_;  ///< by region
};

}  // namespace warpwalk::gpu

#pragma once

#include <cstdint>
#include <unordered_map>
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
  struct Place {
    std::vector<bool> read_first, written;                               ///< by word (4 bytes); empty: never accessed
    std::unordered_map<std::uint64_t, std::vector<std::uint8_t>> pages;  ///< as they were before their first write
  };
  void keep_pages(std::size_t region, std::uint64_t offset, std::uint64_t bytes);
  std::vector<std::uint8_t> before(std::size_t region, std::uint64_t offset, std::uint64_t bytes) const;

  const Memory& memory_;
  const bool keep_before_;
  std::vector<Place> places_;  ///< by region
};

}  // namespace warpwalk::gpu

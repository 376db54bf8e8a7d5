#pragma once

// This folder has the address spaces and counts what an access costs in sectors. Its cycles are in core/gpu/timing.

#include <cstdint>
#include <string>
#include <vector>

namespace warpwalk::gpu {

/// A range of accessible memory: a buffer, a module variable, a constant or the parameters.
struct Region {
  std::uint64_t base = 0, bytes = 0;
  std::uint8_t* data = nullptr;
  std::uint8_t* written = nullptr;  ///< one flag per byte, 0: never written; null: all initialised
  bool read_only = false;
  std::string name;  ///< used in messages, e.g. "buffer `x`"
};

/// Host pointers to the bytes that each lane accesses.
struct Places {
  std::uint8_t* host[32];
};

/// Global, constant and parameter memory as a set of non-overlapping regions.
class Memory {
 public:
  /// Adds a region. Only called before the launch.
  void add(Region region);
  /// The region that contains the address; null if none does.
  const Region* find(std::uint64_t address) const;
  /// The region nearest to an address outside all regions; null if there are no regions. `distance` is in bytes:
  /// negative before the start of the region, otherwise from its end.
  const Region* nearest(std::uint64_t address, std::int64_t& distance) const;
  const std::vector<Region>& regions() const { return regions_; }

 private:
  std::vector<Region> regions_;
};

}  // namespace warpwalk::gpu

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpwalk::gpu {

/// A piece of memory that may be accessed: a buffer, a module's variable, the constants, the parameters.
struct Region {
  std::uint64_t base = 0, bytes = 0;
  std::uint8_t* data = nullptr;
  std::uint8_t* written = nullptr;  ///< a byte each, 0: never written; null: all of it was
  bool read_only = false;
  std::string name;  ///< for messages: "buffer `x` (4,000 bytes)"
};

/// Global, constant and parameter memory: regions of which none lies in another.
class Memory {
 public:
  /// Sorted by base; called before the launch.
  void add(Region region);
  /// The region that holds the address; null where none does.
  const Region* find(std::uint64_t address) const;
  /// The region nearest to an address outside of all, and by how many bytes; null where there are none.
  const Region* nearest(std::uint64_t address, std::int64_t& distance) const;
  const std::vector<Region>& regions() const { return regions_; }

 private:
  std::vector<Region> regions_;
};

}  // namespace warpwalk::gpu

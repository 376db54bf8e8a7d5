#pragma once

#include <cstddef>
#include <cstdint>

namespace warpwalk::gpu {

/// Is told of accesses to global memory before a machine makes them.
class MemoryObserver {
 public:
  enum class Kind : std::uint8_t { read, write, atomic };

  MemoryObserver() = default;
  MemoryObserver(const MemoryObserver&) = delete;
  MemoryObserver& operator=(const MemoryObserver&) = delete;
  virtual ~MemoryObserver() = default;

  /// A range of one region (index into Memory::regions()). A warp's access may come in one range or several.
  virtual void before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) = 0;
};

}  // namespace warpwalk::gpu

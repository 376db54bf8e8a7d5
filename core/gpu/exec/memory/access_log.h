#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace warpwalk::gpu {

/// One access to memory by an operation, as the timing model needs it.
struct LoggedAccess {
  enum class Space : std::uint8_t { global, shared, local };

  Space space = Space::global;
  bool writes = false;
  bool atomic = false;
  std::uint8_t bytes = 4;              ///< per lane
  std::uint32_t mask = 0;              ///< the lanes that access memory
  std::array<std::uint64_t, 32> at{};  ///< each lane's address; shared and local: offset in the window
};

/// The accesses of the instruction that is being executed.
struct AccessLog {
  std::vector<LoggedAccess> accesses;

  void add(LoggedAccess::Space space, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
           bool atomic) {
    LoggedAccess& access = accesses.emplace_back();
    access.space = space;
    access.writes = writes;
    access.atomic = atomic;
    access.bytes = static_cast<std::uint8_t>(bytes);
    access.mask = mask;
    std::memcpy(access.at.data(), at, sizeof access.at);
  }
};

}  // namespace warpwalk::gpu

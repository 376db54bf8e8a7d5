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
  std::uint8_t passes = 0;             ///< shared: over the banks; 0: not known
  std::uint32_t mask = 0;              ///< the lanes that access memory
  std::array<std::uint64_t, 32> at{};  ///< each lane's address; shared and local: offset in the window
};

/// A copy by the tensor memory accelerator. The data have been copied, but the bytes of the mbarriers have not been
/// counted as arrived: complete_bytes() does that when the copy ends.
struct LoggedBulk {
  struct Range {
    std::uint64_t address = 0, bytes = 0;
  };
  struct Completion {
    std::uint32_t barrier = 0;  ///< offset in the shared window of the cluster
    std::uint32_t bytes = 0;
  };

  bool writes = false;        ///< from shared to global memory
  bool reduces = false;       ///< and combines the values
  bool floating = false;      ///< in floating point
  std::vector<Range> ranges;  ///< of global memory, each with adjacent bytes
  std::vector<Completion> completions;
};

/// Lanes that asked for the end of an mbarrier's phase that has not ended yet.
struct PhaseWait {
  std::uint32_t lanes = 0;
  std::uint32_t odd = 0;               ///< those that wait for the end of an odd phase
  std::uint32_t predicate = 0;         ///< byte offset in Warp::registers of the result's lane mask
  std::array<std::uint32_t, 32> at{};  ///< the barriers' offsets in the shared window of the cluster
};

/// The accesses of the instruction that is being executed.
struct AccessLog {
  std::vector<LoggedAccess> accesses;
  std::vector<LoggedBulk> bulk;  ///< in PTX, each lane issues one
  PhaseWait phase_wait;          ///< of SYNCS.PHASECHK
  bool changes_phase = false;    ///< an mbarrier may have ended a phase

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

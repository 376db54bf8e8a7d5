#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/exec/launch.h"
#include "instrumentation/simulated/device/host_computation.h"

namespace warpwalk::simulated {

/// What some simulated blocks of a launch have stored, to be compared with what the host computes for all of them.
class StoredSample {
 public:
  explicit StoredSample(const DeviceMemory::View& view) : view_(view) {}

  /// Takes what blocks have stored out of memory, and puts back what was there. `touched`: with the contents before.
  void take(std::span<const gpu::TouchedRange> touched);
  /// The first difference from what the host has computed, as the end of a sentence; empty: there is none. The host's
  /// results are in memory.
  std::string difference(const HostRun& host) const;

 private:
  struct Stored {
    std::uint64_t address = 0;
    std::vector<std::uint8_t> before, after;
  };
  const DeviceMemory::View& view_;
  std::vector<Stored> stored_;
};

}  // namespace warpwalk::simulated

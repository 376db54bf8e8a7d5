#pragma once

#include "core/gpu/device/device.h"

namespace warpwalk::gpu {

/// Little's law for one SM that reads from memory: bytes in flight = bandwidth × latency. It leaves out caches, address
/// patterns and arithmetic, so it is the least that a kernel needs, not a prediction of its time.
struct MemoryInFlight {
  double bytes_per_ns = 0;  ///< one SM's share of the memory's bandwidth
  double latency_ns = 0;
  double needed = 0;  ///< bytes that have to be in flight per SM to use that share

  explicit MemoryInFlight(const Device& device)
      : bytes_per_ns(*device.memory_bandwidth / 1e9 / static_cast<double>(*device.sm_count)),
        latency_ns(static_cast<double>(*device.latency_memory) / *device.sm_clock * 1e9),
        needed(bytes_per_ns * latency_ns) {}

  /// Bytes in flight if each of the warps waits for `loads` loads of `bytes` per lane at the same time.
  static double of(double warps, double loads, double bytes) { return 32 * warps * loads * bytes; }
  /// The part of the bandwidth that this many bytes in flight can use, 0 to 1.
  double share(double in_flight) const { return in_flight >= needed ? 1 : in_flight / needed; }
};

}  // namespace warpwalk::gpu

#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace warpwalk::simulated {

/// What the program has set with cudaDeviceSetLimit, cudaDeviceSetCacheConfig and cudaSetDeviceFlags.
struct DeviceSettings {
  static constexpr std::size_t limit_count = 7;  ///< numbers of cudaLimit
  /// Stack, printf buffer, heap, depth of synchronisation, pending launches, L2 granularity, persisting L2.
  static constexpr std::array<std::size_t, limit_count> initial_limits = {1024, 8650752, 8388608, 2, 2048, 64, 0};

  std::array<std::atomic<std::size_t>, limit_count> limits;
  std::atomic<int> cache = 0;
  std::atomic<int> shared_banks = 0;
  std::atomic<unsigned> flags = 0;
  DeviceSettings() { reset(); }
  void reset();
};

DeviceSettings& device_settings();

}  // namespace warpwalk::simulated

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/device/module.h"

namespace warpwalk::simulated {

struct HostComputation;

/// The shape of a launch.
struct LaunchShape {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::array<std::uint32_t, 3> cluster{};  ///< 0, 0, 0: that of the kernel, or none
  std::size_t dynamic_shared_bytes = 0;
  bool cooperative = false;
};

/// A launch with its arguments, which were copied when the program launched it.
struct KernelLaunch {
  Kernel* kernel = nullptr;
  LaunchShape shape;
  std::vector<std::uint8_t> arguments;  ///< as KernelParameter::offset places them
  /// How the host can compute what the launch stores (host_computation.h); null: its blocks are simulated.
  std::shared_ptr<const HostComputation> on_host = {};
};

/// Whether these can be the extents of a cluster, or 0, 0, 0 for none.
inline bool valid_cluster(const std::array<std::uint32_t, 3>& extents) {
  const bool all = extents[0] != 0 && extents[1] != 0 && extents[2] != 0;
  return all || (extents[0] == 0 && extents[1] == 0 && extents[2] == 0);
}

/// Copies the arguments from `pointers` (one per parameter), or from `extra` as cuLaunchKernel takes it.
Error collect_arguments(const Kernel& kernel, void** pointers, void** extra, std::vector<std::uint8_t>& into);

}  // namespace warpwalk::simulated

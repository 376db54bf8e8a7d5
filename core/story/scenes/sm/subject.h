#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/gpu/blocks/occupancy.h"
#include "core/story/records/device_match.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The followed launch on one GPU, as launched or as the controls set it.
struct SmSubject {
  const trace::KernelDetail* kernel = nullptr;
  DeviceMatch match;                  ///< the GPU of the trace
  std::optional<gpu::Device> device;  ///< that GPU or the chosen one; none if neither is described
  std::size_t gpu_choice = 0;         ///< 0: as recorded; else one of Hardware::devices, counted from 1
  gpu::BlockNeeds launched;
  gpu::BlockNeeds needs;
  bool threads_set = false, registers_set = false, shared_set = false;
  std::uint64_t grid = 0;  ///< blocks; 0 if not recorded
  gpu::Occupancy fit;

  bool any_set() const { return threads_set || registers_set || shared_set || gpu_choice > 0; }
  bool runs() const { return fit.blocks_per_sm > 0; }
  std::int64_t shared() const { return needs.static_shared; }
  /// Lanes of the last warp that have a thread.
  std::int64_t last_warp_threads() const;
  /// Average blocks per SM while the grid lasts: blocks of the grid / SMs, at most those that fit.
  double mean_blocks() const;
  /// Blocks that fit on the whole GPU at once. The device is known.
  std::uint64_t capacity() const { return static_cast<std::uint64_t>(*device->sm_count * fit.blocks_per_sm); }
  bool full() const { return fit.warps_per_sm == *device->warps_per_sm; }
  std::string gpu_name() const;
};

/// Whether a kernel's block, registers and shared memory were recorded.
bool sm_recorded(const trace::KernelDetail& kernel);

/// The kernel of the walk must be recorded (sm_recorded).
SmSubject sm_subject(const SceneInput& input);

/// The same needs with another value. Shared memory above the default limit is opted in.
gpu::BlockNeeds with_threads(gpu::BlockNeeds needs, std::int64_t threads);
gpu::BlockNeeds with_registers(gpu::BlockNeeds needs, std::int64_t registers);
gpu::BlockNeeds with_shared(const gpu::Device& device, gpu::BlockNeeds needs, std::int64_t bytes);

/// The smallest change of one figure that makes room for more blocks; none if no value does.
struct SmGains {
  std::optional<std::int64_t> registers;  ///< per thread: the most with which another block fits
  std::optional<std::int64_t> shared;     ///< bytes per block: the most with which another block fits
  std::optional<std::int64_t> threads;    ///< per block: the size with the most resident warps, the nearest of equals
};
SmGains sm_gains(const SmSubject& sm);

}  // namespace warpwalk::story

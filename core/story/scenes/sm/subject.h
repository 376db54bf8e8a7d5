#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/gpu/blocks/occupancy.h"
#include "core/story/stage/hardware.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The launch that is followed, on the GPU that it is looked at on, as launched or as the person set it.
struct SmSubject {
  const trace::KernelDetail* kernel = nullptr;
  DeviceMatch match;                  ///< as the trace says
  std::optional<gpu::Device> device;  ///< that or the chosen one; none where neither is there
  std::size_t gpu_choice = 0;         ///< 0: as recorded; else one of Hardware::devices, counted from 1
  gpu::BlockNeeds launched;
  gpu::BlockNeeds needs;
  bool threads_set = false, registers_set = false, shared_set = false;
  std::uint64_t grid = 0;  ///< blocks; 0 where not recorded
  gpu::Occupancy fit;

  bool any_set() const { return threads_set || registers_set || shared_set || gpu_choice > 0; }
  bool runs() const { return fit.blocks_per_sm > 0; }
  std::int64_t shared() const { return needs.static_shared; }
  /// Of the last warp, how many lanes have a thread.
  std::int64_t last_warp_threads() const;
  /// Blocks an SM has on average while the grid lasts: blocks of the grid / SMs, at most those that fit.
  double mean_blocks() const;
  bool full() const { return fit.warps_per_sm == *device->warps_per_sm; }
  std::string gpu_name() const;
};

/// Whether a kernel's block, registers and shared memory are on record.
bool sm_recorded(const trace::KernelDetail& kernel);

/// Of a walk whose kernel is recorded (sm_recorded).
SmSubject sm_subject(const SceneInput& input);

/// The same needs with another value, shared memory opted in where it is more than the default limit.
gpu::BlockNeeds with_threads(gpu::BlockNeeds needs, std::int64_t threads);
gpu::BlockNeeds with_registers(gpu::BlockNeeds needs, std::int64_t registers);
gpu::BlockNeeds with_shared(const gpu::Device& device, gpu::BlockNeeds needs, std::int64_t bytes);

/// The nearest change of one figure that lets more in; none where no value of it does.
struct SmGains {
  std::optional<std::int64_t> registers;  ///< a thread: the most with which another block fits
  std::optional<std::int64_t> shared;     ///< bytes a block: the most with which another block fits
  std::optional<std::int64_t> threads;    ///< a block: the size with the most resident warps, the nearest of equals
};
SmGains sm_gains(const SmSubject& sm);

}  // namespace warpwalk::story

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/gpu/blocks/occupancy.h"
#include "core/story/scenes/sm/picture.h"
#include "core/story/stage/hardware.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The launch that is followed, on the GPU that it is looked at on, as launched or as the person set it.
struct SmCase {
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
SmCase sm_case(const SceneInput& input);

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
SmGains sm_gains(const SmCase& sm);

/// Resident warps against registers, shared memory and block size.
std::vector<ChartPicture> sm_curves(const SceneInput& input, const SmCase& sm, const SmGains& gains);

/// The sliders, and the hidden choice of the GPU.
std::vector<Control> sm_controls(const SceneInput& input, const SmCase& sm);

/// The figures of the case for sentences, facts and formulas.
void add_sm_values(const SceneInput& input, const SmCase& sm, Narration::Values& values);

/// The facts, and what is missing.
void sm_facts(const SceneInput& input, const SmCase& sm, std::string_view beat, const SmGains& gains,
              const Narration::Values& values, Stage& stage);

/// The picture of a beat.
SmPicture sm_show(const SceneInput& input, const SmCase& sm, std::string_view beat, const SmGains& gains,
                  const Narration::Values& values);

/// A resource in words, by its key under [sm.resource].
std::string resource_name(const SceneInput& input, gpu::Limiter limiter);
/// "19,840 B", or whole KiB where it is a whole number of them: "64 KiB".
std::string size_text(std::int64_t bytes);
/// "1 block" or "3 blocks": `thing` and `thing`s under [sm.count].
std::string counted(const SceneInput& input, std::string_view thing, std::int64_t count);

}  // namespace warpwalk::story

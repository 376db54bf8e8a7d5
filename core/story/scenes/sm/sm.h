#pragma once

// The parts of the scene "sm": the followed launch on one SM, the picture, the beat with the simulated blocks, the
// question, and the facts. The types of the picture are those of picture.h, which its painter reads.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/device_match.h"
#include "core/gpu/blocks/occupancy.h"
#include "core/story/facts/words/ask.h"
#include "core/story/scenes/sm/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The followed launch on one GPU, as launched or as the controls set it.
struct SmSubject {
  const trace::KernelDetail* kernel = nullptr;
  analysis::DeviceMatch match;        ///< the GPU of the trace
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

/// Adds the figures of the subject for sentences, facts and formulas.
void add_sm_values(const SceneInput& input, const SmSubject& sm, Narration::Values& values);

/// The name of a resource, from [sm.resource].
std::string resource_name(const SceneInput& input, gpu::Limiter limiter);
/// "1 block" or "3 blocks": `thing` and `thing`s from [sm.count].
std::string counted(const SceneInput& input, std::string_view thing, std::int64_t count);

/// The picture of a beat at the moment's phase.
SmPicture sm_picture(const SceneInput& input, const SmSubject& sm, std::string_view beat, const SmGains& gains,
                     const Narration::Values& values);

/// Resident warps by registers, shared memory and block size.
std::vector<ChartPicture> sm_curves(const SceneInput& input, const SmSubject& sm, const SmGains& gains);

/// The sliders, and the hidden choice of the GPU.
std::vector<Control> sm_controls(const SceneInput& input, const SmSubject& sm);

/// The last beat of scene 5: the blocks that are resident at a simulated moment, beside what the arithmetic allows and,
/// if it was recorded, what a GPU did. Without cycles, it says why, under the picture of the beat before.
Stage residents_stage(const SceneInput& input, std::vector<Beat> beats, const SmSubject& sm, const SmGains& gains,
                      Narration::Values values);

/// The next or the previous cycle at which a block starts or ends on the SM; none without cycles.
std::optional<std::int64_t> residents_stop(const SceneInput& input, bool forward);

/// The question of the beat "limit": which resource runs out first? None if several do, or if the person changed a
/// control.
std::optional<Ask> limit_question(const SceneInput& input, const SmSubject& sm, const Narration::Values& values);

/// Adds the facts of a beat, and what the trace lacks for it.
void sm_facts(const SceneInput& input, const SmSubject& sm, std::string_view beat, const SmGains& gains,
              const Narration::Values& values, Stage& stage);

}  // namespace warpwalk::story

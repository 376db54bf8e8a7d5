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
#include "core/story/beats/beat_of.h"
#include "core/story/facts/words/ask.h"
#include "core/story/scenes/sm/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The motions of the picture, in their order. The picture is a function of how far they are.
constexpr int first_block_comes = 0, first_block_stays = 1, other_blocks_come = 2, limit_glows = 3, meters_come = 4,
              curves_come = 5;

/// The smallest change of one figure that makes room for more blocks; none if no value does.
struct SmGains {
  std::optional<std::int64_t> registers;  ///< per thread: the most with which another block fits
  std::optional<std::int64_t> shared;     ///< bytes per block: the most with which another block fits
  std::optional<std::int64_t> threads;    ///< per block: the size with the most resident warps, the nearest of equals
};

/// The followed launch on one GPU, as launched or as the controls set it.
struct SmSubject {
  const SceneInput& input;
  const trace::KernelDetail* kernel = nullptr;
  analysis::DeviceMatch match = {};        ///< the GPU of the trace
  std::optional<gpu::Device> device = {};  ///< that GPU or the chosen one; none if neither is described
  std::size_t gpu_choice = 0;              ///< 0: as recorded; else one of Hardware::devices, counted from 1
  gpu::BlockNeeds launched = {};
  gpu::BlockNeeds needs = {};
  bool threads_set = false, registers_set = false, shared_set = false;
  std::uint64_t grid = 0;  ///< blocks; 0 if not recorded
  gpu::Occupancy fit = {};
  SmGains gains = {};             ///< if it runs on the GPU
  Narration::Values values = {};  ///< its figures, for sentences, facts and formulas

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
SmSubject sm_subject(const Here& here);

/// The same needs with another value. Shared memory above the default limit is opted in.
gpu::BlockNeeds with_threads(gpu::BlockNeeds needs, std::int64_t threads);
gpu::BlockNeeds with_registers(gpu::BlockNeeds needs, std::int64_t registers);
gpu::BlockNeeds with_shared(const gpu::Device& device, gpu::BlockNeeds needs, std::int64_t bytes);

/// Adds the figures of the subject to its values.
void add_sm_values(SmSubject& sm);

/// The name of a resource, from [sm.resource].
std::string resource_name(const SceneInput& input, gpu::Limiter limiter);
/// "1 block" or "3 blocks": `thing` and `thing`s from [sm.count].
std::string counted(const SceneInput& input, std::string_view thing, std::int64_t count);

/// The picture with one motion, the `place`-th, at this phase: those before it are done.
SmPicture sm_picture(const SmSubject& sm, int place, double phase);

/// Resident warps by registers, shared memory and block size.
std::vector<ChartPicture> sm_curves(const SmSubject& sm);

/// The sliders, and the hidden choice of the GPU.
std::vector<Control> sm_controls(const SmSubject& sm);

/// The last beat of scene 5: the blocks that are resident at a simulated moment, beside what the arithmetic allows and,
/// if it was recorded, what a GPU did. Without cycles, it says why, under the picture of the beat before.
std::shared_ptr<const AnyBeat> residents_beat(std::optional<std::int64_t> (*anchor)(const WalkTimes&));

/// Which resource runs out first? None if several do, or if the person changed a control.
std::optional<Ask> limit_question(const SmSubject& sm);

/// The facts of a launch that does not run on the SM, or on an unknown one; they are those of every beat.
void sm_facts(const SmSubject& sm, FactWriter& facts);
/// The facts of the beats of a launch that runs.
void arrive_facts(const SmSubject& sm, FactWriter& facts);
void take_facts(const SmSubject& sm, FactWriter& facts);
void fill_facts(const SmSubject& sm, FactWriter& facts);
void limit_facts(const SmSubject& sm, FactWriter& facts);
void grid_facts(const SmSubject& sm, FactWriter& facts);
void change_facts(const SmSubject& sm, FactWriter& facts);

}  // namespace warpwalk::story

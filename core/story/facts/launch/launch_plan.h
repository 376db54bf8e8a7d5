#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/device_match.h"
#include "core/gpu/blocks/occupancy.h"
#include "core/gpu/blocks/waves.h"
#include "core/story/facts/launch/launch_time.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The descriptions that launch.gpu chooses from, after "as recorded".
constexpr std::array<std::string_view, 3> chosen_gpus = {"h200_2sm", "h200_8sm", "h200"};

/// The SM, slot and time of one block.
struct PlacedBlock {
  std::uint64_t block = 0;  ///< number in the grid, x fastest
  std::uint32_t sm = 0;
  std::uint32_t slot = 0;  ///< place among the SM's resident blocks; derived if the placement was recorded
  std::uint32_t turn = 0;  ///< how many blocks had this slot before; the wave in a simulated placement
  std::int64_t start = 0;  ///< ticks since the first block's start (LaunchPlan::tick_ns)
  std::int64_t end = 0;    ///< equal to start if it was not recorded
};

/// One launch on one GPU: as recorded, or as the controls set it.
struct LaunchPlan {
  enum class Gap : std::uint8_t {
    none,
    device,     ///< no description of this GPU
    registers,  ///< registers or shared memory were not recorded
    size,       ///< more block slots than can be drawn
    failure,    ///< occupancy.failure: it cannot run
  };

  // As launched
  std::array<std::int32_t, 3> launched_grid{}, launched_block{};
  std::uint64_t launched_blocks = 0;
  std::int64_t launched_threads = 0;
  std::int64_t registers = trace::absent;     ///< per thread
  std::int64_t shared = trace::absent;        ///< bytes per block
  std::int64_t recorded_sms = trace::absent;  ///< of the trace's GPU
  const trace::KernelRecord* record = nullptr;
  analysis::DeviceMatch match;

  // The values that the user set, or else those of the launch
  std::array<std::int32_t, 3> grid{}, block{};  ///< one-dimensional if set by a control
  std::uint64_t blocks = 0;
  std::int64_t threads = 0;
  std::size_t gpu_choice = 0;
  std::optional<gpu::Device> device;
  bool what_if = false;  ///< grid, block or GPU differ from the launch

  Gap gap = Gap::none;
  gpu::Occupancy occupancy;  ///< if gap is none or failure
  gpu::Waves waves;          ///< over the whole grid

  // Placement, of the first blocks
  bool recorded = false;  ///< from the trace; else from the model of the block scheduler
  Origin placement_origin = Origin::simulated;
  std::vector<PlacedBlock> placed;            ///< by start, then number
  std::uint32_t slots_per_sm = 0;             ///< of the picture: blocks_per_sm, or more if a record has more
  double tick_ns = 0;                         ///< ns per tick; 0: times are not known
  std::optional<LaunchTimeModel> time_model;  ///< none if the recorded time or the kernel's resources are not known
  std::optional<ScaledTime> time;             ///< of this launch; as recorded unless what_if
  /// The waves between these two, counted from 0, are not placed; `skipped_to` is placed again. Equal if all waves are
  /// placed.
  std::uint64_t skipped_from = 0, skipped_to = 0;
  std::int64_t skipped_start = 0;  ///< ticks: the end of the last placed wave before them
  std::int64_t skipped_end = 0;    ///< ticks: the start of the first placed wave after them
  std::uint64_t compared = 0;      ///< blocks whose recorded and simulated SM were compared
  std::uint64_t equal = 0;         ///< those on the same SM

  bool counted() const { return gap == Gap::none; }  ///< waves and slots are known
  bool placeable() const { return !placed.empty(); }
  std::uint64_t slots() const { return waves.blocks_per_wave; }
};

/// The number of SMs of the walk's GPU as the trace records it, or trace::absent. The walk has GPU work.
std::int64_t recorded_sms(const Trace& trace, const Walk& walk);

/// The number of waves to place; placing them is most of the work.
enum class Placed : std::uint8_t { none, first_wave, several_waves };

/// Returns nullopt if the walk lacks a kernel with a recorded grid. A simulated placement has at most 12 waves and,
/// unless two waves have more, at most 5,280 blocks (about 1.6 ms): the first waves and the last two.
std::optional<LaunchPlan> launch_plan(const SceneInput& input, Placed placed);

/// The launch with its grid and block as set, on a GPU with this occupancy.
LaunchOnGpu launch_on(const LaunchPlan& plan, const gpu::Device& device, const gpu::Occupancy& occupancy);

/// Whether no warp scheduler can have more than one warp of the followed launch: by its grid, its blocks and the GPU in
/// the trace, for a launch that is itself simulated from its record. Then no scheduler has a choice. False if the trace
/// does not say.
bool one_warp_per_scheduler(const Trace& trace, const Walk& walk);

/// The needs of one block, for occupancy_of.
gpu::BlockNeeds needs_of(const LaunchPlan& plan, const gpu::Device& device);

}  // namespace warpwalk::story

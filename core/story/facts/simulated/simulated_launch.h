#pragma once

// This folder derives figures from the simulated run of the followed kernel. Figures of the trace are in the folders
// beside it.

#include "core/gpu/blocks/occupancy.h"
#include "core/story/facts/simulated/block_times.h"
#include "core/story/pictures/raster.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Time of this many cycles of the simulated GPU.
double cycles_ns(const run::TimeTravel& travel, double cycles);

/// The measured duration beside the simulated one: both are known, the kernel itself was simulated to its end, and the
/// trace's times are from a real GPU.
struct TimeBeside {
  double measured = 0;     ///< ns; CUPTI's time of a kernel contains a part of the launch's cost
  double simulated = 0;    ///< ns, with the whole cost of the launch
  double launch_cost = 0;  ///< ns of `simulated` before the first block starts and after the last one has ended
  double kernel() const { return simulated - launch_cost; }
  /// The difference from the measured time, in percent of it: of the kernel alone, and with the cost of the launch.
  double kernel_error() const { return 100 * (kernel() - measured) / measured; }
  double error() const { return 100 * (simulated - measured) / measured; }
};
std::optional<TimeBeside> time_beside(const SceneInput& input);

/// Resident warps in percent of the warp slots, over the cycles in which an SM has a warp. For a launch that was cut
/// short, over the simulated cycles, including warps that have not ended.
double achieved_occupancy(const run::TimeTravel& travel);
/// Instructions issued in percent of those that the schedulers could issue, over the same cycles.
double issue_slots_used(const run::TimeTravel& travel);

/// Adds to the facts the duration, simulated, of the kernel alone and with the cost of the launch, and their
/// differences from the measured one; or how much was simulated; and what was simulated if that is not the kernel's own
/// machine code. The input has cycles.
void simulated_launch_facts(const SceneInput& input, Stage& stage);

/// The blocks that fit on an SM of the launch that was simulated, which may be a stand-in. The input has cycles.
gpu::Occupancy simulated_occupancy(const SceneInput& input);

/// The blocks of one SM over time, a row for each slot. Blocks that follow another one in its slot are paler.
RasterPicture blocks_raster(const Narration& narration, const std::vector<BlockTime>& blocks, std::int64_t end,
                            bool measured);

}  // namespace warpwalk::story

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
/// trace's times are from a real GPU. Times in ns.
struct TimeBeside {
  double measured = 0;            ///< by CUPTI
  double simulated = 0;           ///< that CUPTI would record for the simulated launch (run::cupti_ns)
  double outside = 0;             ///< the part of `simulated` in which no block runs
  bool outside_measured = false;  ///< on the GPU of the recording; false: on an H200, which stands in for it
  /// The difference from the measured time, in percent of it.
  double error() const { return 100 * (simulated - measured) / measured; }
};
std::optional<TimeBeside> time_beside(const SceneInput& input);

/// Resident warps in percent of the warp slots, over the cycles in which an SM has a warp. For a launch that was cut
/// short, over the simulated cycles, including warps that have not ended.
double achieved_occupancy(const run::TimeTravel& travel);
/// Instructions issued in percent of those that the schedulers could issue, over the same cycles.
double issue_slots_used(const run::TimeTravel& travel);

/// Adds to the facts the duration, simulated, of the kernel alone and with the cost of the launch, that which CUPTI
/// would record and its difference from the measured one; or how much was simulated; how the caches started; and what
/// was simulated if that is not the kernel's own machine code. The input has cycles.
void simulated_launch_facts(const SceneInput& input, Stage& stage);

/// The blocks that fit on an SM of the launch that was simulated, which may be a stand-in. The input has cycles.
gpu::Occupancy simulated_occupancy(const SceneInput& input);

/// The blocks of one SM over time, a row for each slot. Blocks that follow another one in its slot are paler.
RasterPicture blocks_raster(const Narration& narration, const std::vector<BlockTime>& blocks, std::int64_t end,
                            bool measured);

}  // namespace warpwalk::story

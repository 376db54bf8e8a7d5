#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/device/sm_layout.h"

namespace warpwalk::gpu {

/// The round-robin position of the block scheduler, which one launch passes on to the next.
struct SchedulerState {
  int next_gpc = 0;     ///< the GPC that gets the next batch
  int first_small = 1;  ///< the small group whose TPCs come first (1 as seen on H200s before the first launch)
  bool operator==(const SchedulerState&) const = default;
};

/// Returns the SM of each block of a launch on an empty GPU, until the GPU is full or the grid ends; element b is the
/// SM of block b. `state` is the scheduler's state before the launch and is updated. Empty if blocks_per_sm is not
/// positive.
///
/// The rule reproduces placements that H200s reported through %smid (tests/gpu/data). NVIDIA does not document it:
/// - Blocks are assigned in rounds of one block per SM. In a round each GPC gets one batch of consecutive block
///   numbers, GPC after GPC. The first is the GPC after the one that got the last batch, including the batches of the
///   previous launch.
/// - TPCs outside the full GPCs (the small groups) get their blocks before the GPCs of the same round, and they run
///   ahead: they get their next round after run_ahead_first GPC batches, then after every run_ahead_again batches. The
///   small group that got the last block is first in the next launch.
/// - A round with fewer blocks than SMs is dealt out block by block: to the TPCs of the small groups until they are
///   full, then to the GPCs in numerical order, one block per TPC, and only then to the second SM of each TPC. In such
///   a round the small groups run ahead only once the dealing is done. In GPC batches, dealing takes deal_base, plus
///   deal_pass for each pass over the TPCs or GPCs, plus deal_small or deal_gpc for each block.
/// - Within a batch, blocks are numbered TPC by TPC. If the batch does not divide evenly, the first TPCs get one more.
///
/// In 248 of 252 launches whose first fill was recorded, every block agrees. The exceptions are not explained: in the
/// first launch of a process, the small groups ran ahead after 2 batches; in a last round of 4 blocks, one batch sooner
/// than here.
///
/// A device without `gpcs` is treated as one GPC with all SMs in order.
std::vector<SmId> first_blocks(const Device& device, std::uint64_t blocks, std::int64_t blocks_per_sm,
                               SchedulerState& state);

/// Returns the scheduler's state after a launch whose blocks went to these SMs, in block order. State that the
/// placement does not reveal is taken from `before`.
SchedulerState state_after(const Device& device, std::span<const SmId> placement, SchedulerState before);

/// Infers the scheduler's state before a recorded launch from its first blocks. This is a guess if the grid has fewer
/// blocks than there are groups.
SchedulerState state_before(const Device& device, std::span<const SmId> placement);

}  // namespace warpwalk::gpu

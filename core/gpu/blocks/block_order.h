#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/device/sm_id.h"

namespace warpwalk::gpu {

/// What a launch leaves behind in the block scheduler for the next one: where it starts to go round.
struct SchedulerState {
  int next_gpc = 0;     ///< the GPC that gets the next batch
  int first_small = 1;  ///< the small group whose TPCs come first (seen so on H200s before the first launch)
  bool operator==(const SchedulerState&) const = default;
};

/// The SM of each block of a launch on an empty GPU, until it is full or the grid ends: element b is the SM of block b.
/// `state` is where the scheduler stands before, and is moved on. Empty where blocks_per_sm is not positive.
///
/// The rule reproduces placements that H200s reported through %smid (tests/gpu/data); NVIDIA documents none:
/// - Blocks are handed out in rounds of one block per SM. In a round each GPC gets its blocks in one batch of numbers
///   that follow one another, GPC after GPC, starting behind the GPC that got the last batch, also of the launch
///   before.
/// - TPCs of no full GPC (the small groups) come before the GPCs of their round, and run ahead of them: their next
///   round comes after run_ahead_first GPC batches, then after run_ahead_again each. Their groups start with the one
///   that had the last block.
/// - A round too small for all SMs is dealt out one by one: to the TPCs of small groups until they are full, then round
///   the GPCs in order of their number, one block a TPC, and only then the second SM of each TPC. Here the small groups
///   run ahead only once dealing is done. That takes deal_base, deal_pass for each pass round the TPCs or GPCs, and
///   deal_small or deal_gpc for each block.
/// - A batch is numbered TPC by TPC: the first TPCs take one more where it does not divide.
///
/// Of 252 launches whose first fill was recorded, 248 agree in every block. Not explained: the first launch of a
/// process, where the small groups ran ahead after 2 batches, and a last round of 4 blocks, a batch sooner than here.
///
/// A device without `gpcs` counts as one GPC of all its SMs in order.
std::vector<SmId> first_blocks(const Device& device, std::uint64_t blocks, std::int64_t blocks_per_sm,
                               SchedulerState& state);

/// Where the scheduler stands after a launch whose blocks went to these SMs, in block order. What no block tells stays
/// as it is `before`.
SchedulerState state_after(const Device& device, std::span<const SmId> placement, SchedulerState before);

/// Where it must have stood before a launch that was recorded, as its first blocks tell (a guess where the grid has
/// fewer blocks than there are groups).
SchedulerState state_before(const Device& device, std::span<const SmId> placement);

}  // namespace warpwalk::gpu

#include "core/gpu/blocks/block_scheduler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace warpwalk::gpu {
namespace {

/// A running block and the slot it occupies.
struct Running {
  std::int64_t end;
  std::uint64_t block;  ///< breaks ties, so that the schedule does not depend on the heap order
  SmId sm;
  std::uint8_t slot;
};

/// Comparator for a heap with the earliest end on top.
struct EndsLater {
  bool operator()(const Running& a, const Running& b) const {
    return a.end != b.end ? a.end > b.end : a.block > b.block;
  }
};

std::int64_t interval_of(const Device& device, const GridLaunch& launch) {
  const double by_warps = device.warp_interval.value.value_or(0.0) * static_cast<double>(launch.warps_per_block);
  return std::max(device.block_interval.value.value_or(0), static_cast<std::int64_t>(std::llround(by_warps)));
}

}  // namespace

Schedule schedule_blocks(const Device& device, const GridLaunch& launch, SchedulerState state) {
  Schedule result;
  result.state = state;
  if (launch.blocks_per_sm < 1 || launch.blocks_per_sm > std::numeric_limits<std::uint8_t>::max()) return result;
  result.waves = waves_of(launch.blocks, device, launch.blocks_per_sm);
  result.sm = first_blocks(device, launch.blocks, launch.blocks_per_sm, result.state);
  const std::size_t first = result.sm.size();
  const auto blocks = static_cast<std::size_t>(launch.blocks);
  result.sm.resize(blocks);
  result.slot.resize(blocks);
  result.start.resize(blocks);
  result.end.resize(blocks);

  const std::int64_t interval = interval_of(device, launch);
  const std::int64_t replacement = device.block_replacement.value.value_or(0);
  std::vector<std::int64_t> next_start(static_cast<std::size_t>(*device.sm_count), 0);  // earliest start, indexed by SM
  std::vector<std::uint8_t> used(next_start.size(), 0);                                 // used slots, indexed by SM
  std::vector<Running> heap;
  heap.reserve(first);
  std::priority_queue<Running, std::vector<Running>, EndsLater> running(EndsLater{}, std::move(heap));

  const auto start = [&](std::size_t block, SmId sm, std::uint8_t slot, std::int64_t earliest) {
    const std::int64_t at = std::max(earliest, next_start[sm]);
    next_start[sm] = at + interval;
    result.sm[block] = sm;
    result.slot[block] = slot;
    result.start[block] = at;
    result.end[block] = at + std::max<std::int64_t>(0, launch.cycles.for_block(block));
    result.cycles = std::max(result.cycles, result.end[block]);
    running.push({result.end[block], block, sm, slot});
  };
  for (std::size_t block = 0; block < first; ++block) {
    const SmId sm = result.sm[block];
    start(block, sm, used[sm]++, 0);
  }
  for (std::size_t block = first; block < blocks; ++block) {
    const Running left = running.top();
    running.pop();
    start(block, left.sm, left.slot, left.end + replacement);
  }
  if (blocks > first) result.state = state_after(device, result.sm, result.state);
  return result;
}

std::uint64_t count_equal_placements(std::span<const SmId> a, std::span<const SmId> b) {
  std::uint64_t equal = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) equal += a[i] == b[i] ? 1 : 0;
  return equal;
}

}  // namespace warpwalk::gpu

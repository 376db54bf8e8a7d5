#include "core/gpu/timing/launch/block_dispatch.h"

#include <algorithm>
#include <numeric>

#include "core/gpu/blocks/block_order.h"
#include "core/gpu/blocks/cluster_placement.h"

namespace warpwalk::gpu {

BlockDispatch::BlockDispatch(const Device& device, const Timing& timing, const LaunchContext& context,
                             const Occupancy& occupancy, std::uint64_t max_blocks)
    : device_(device), timing_(timing), context_(context), blocks_per_sm_(occupancy.blocks_per_sm) {
  const auto& grid = context.launch->grid;
  blocks_ = std::uint64_t{grid[0]} * grid[1] * grid[2];
  group_count_ = count_groups(context);
  group_blocks_ = static_cast<std::uint32_t>(blocks_ / group_count_);
  if (max_blocks != 0 && group_blocks_ == 1) blocks_ = group_count_ = std::min(blocks_, max_blocks);
  sm_.resize(blocks_);
  start_.resize(blocks_);
  end_.resize(blocks_);
  group_of_.resize(blocks_);
  next_start_.resize(static_cast<std::size_t>(timing.sms));
  if (group_blocks_ > 1) {
    ClusterLaunch clusters;
    for (std::size_t i = 0; i < 3; ++i) {
      clusters.grid[i] = grid[i];
      clusters.cluster[i] = context.cluster[i];
    }
    clusters.blocks_per_sm = blocks_per_sm_;
    cluster_sms_ = place_clusters(device, clusters);
  }
}

std::vector<std::uint16_t> BlockDispatch::cluster_groups() const {
  std::vector<std::uint16_t> groups(next_start_.size());
  std::iota(groups.begin(), groups.end(), std::uint16_t{0});
  if (cluster_sms_.empty()) return groups;
  for (std::uint64_t cluster = 0; cluster < group_count_; ++cluster) {
    const std::uint16_t first = groups[static_cast<std::size_t>(cluster_sms_[block_in(cluster, 0)])];
    for (std::uint32_t rank = 1; rank < group_blocks_; ++rank) {
      const std::uint16_t other = groups[static_cast<std::size_t>(cluster_sms_[block_in(cluster, rank)])];
      if (other != first) std::ranges::replace(groups, other, first);
    }
  }
  return groups;
}

/// The index in the grid of the block with this rank in a cluster.
std::uint64_t BlockDispatch::block_in(std::uint64_t group, std::uint32_t rank) const {
  const auto& grid = context_.launch->grid;
  const auto& cluster = context_.cluster;
  const std::uint64_t across = grid[0] / cluster[0], down = grid[1] / cluster[1];
  const std::uint64_t x = group % across * cluster[0] + rank % cluster[0],
                      y = group / across % down * cluster[1] + rank / cluster[0] % cluster[1],
                      z = group / across / down * cluster[2] + rank / cluster[0] / cluster[1];
  return x + grid[0] * (y + grid[1] * z);
}

double BlockDispatch::interval() const {
  return std::max(timing_.block_interval, timing_.warp_interval * context_.warps_per_block);
}

void BlockDispatch::start_group(std::vector<Sm>& sms, const std::vector<std::uint16_t>& on, double at) {
  std::size_t place = groups_.size();
  if (spare_.empty()) {
    groups_.push_back(std::make_unique<BlockGroup>());
  } else {
    place = static_cast<std::size_t>(std::ranges::find_if(groups_, [](const auto& group) { return group == nullptr; }) -
                                     groups_.begin());
    groups_[place] = std::move(spare_.back());
    spare_.pop_back();
  }
  BlockGroup& group = *groups_[place];
  reset_group(group, context_, next_group_++, false);
  for (std::size_t i = 0; i < group.blocks.size(); ++i) {
    BlockState& block = *group.blocks[i];
    const std::uint16_t sm = on[i];
    const double start = std::max(at, next_start_[sm]);
    next_start_[sm] = start + interval();
    sm_[block.index] = sm;
    start_[block.index] = start;
    group_of_[block.index] = static_cast<std::uint32_t>(place);
    sms[sm].start(block, start);
  }
}

void BlockDispatch::start_first(std::vector<Sm>& sms) {
  if (group_blocks_ > 1) {
    // Every SM has blocks_per_sm slots; clusters start while theirs are free.
    for (std::int64_t i = 0; i < blocks_per_sm_; ++i)
      for (std::size_t sm = 0; sm < sms.size(); ++sm) free_.push_back({0, static_cast<std::uint16_t>(sm)});
    replace(sms, 0);
    return;
  }
  SchedulerState state;
  for (const SmId sm : first_blocks(device_, blocks_, blocks_per_sm_, state))
    start_group(sms, {static_cast<std::uint16_t>(sm)}, 0);
}

void BlockDispatch::replace(std::vector<Sm>& sms, double now) {
  const std::size_t before = free_.size();
  for (std::size_t sm = 0; sm < sms.size(); ++sm) {
    for (const EndedBlock& ended : sms[sm].ended) {
      end_[ended.block] = ended.time;
      ++ended_;
      free_.push_back({ended.time, static_cast<std::uint16_t>(sm)});
      BlockGroup& group = *groups_[group_of_[ended.block]];
      const std::size_t rank =
          ended.block == group.blocks.front()->index && group.blocks.size() == 1
              ? 0
              : static_cast<std::size_t>(
                    std::ranges::find(group.blocks, ended.block, [](const auto& block) { return block->index; }) -
                    group.blocks.begin());
      group.done[rank] = 1;
      if (std::ranges::all_of(group.done, [](std::uint8_t done) { return done != 0; }))
        spare_.push_back(std::move(groups_[group_of_[ended.block]]));
    }
    sms[sm].ended.clear();
  }
  std::stable_sort(free_.begin() + static_cast<std::ptrdiff_t>(before), free_.end(),
                   [](const Free& a, const Free& b) { return a.time < b.time; });
  for (auto free = free_.begin() + static_cast<std::ptrdiff_t>(before); free != free_.end(); ++free)
    last_end_ = std::max(last_end_, completions_.take(free->time, timing_.dispatch_interval));
  if (group_blocks_ == 1) {
    for (const Free& free : free_)
      if (next_group_ < group_count_)
        start_group(
            sms, {free.sm},
            std::max(now, dispatcher_.take(free.time + timing_.latency_block_replacement, timing_.dispatch_interval)));
    free_.clear();
    return;
  }
  while (next_group_ < group_count_) {
    // The next cluster starts when all of its SMs have a free slot.
    std::vector<std::uint16_t> on;
    std::vector<std::size_t> taken;
    double at = now;
    for (std::uint32_t rank = 0; rank < group_blocks_; ++rank) {
      const std::uint64_t block = block_in(next_group_, rank);
      const std::uint16_t sm = block < cluster_sms_.size() ? static_cast<std::uint16_t>(cluster_sms_[block]) : 0;
      std::size_t slot = free_.size();
      for (std::size_t i = 0; i < free_.size() && slot == free_.size(); ++i)
        if (free_[i].sm == sm && std::ranges::find(taken, i) == taken.end()) slot = i;
      if (slot == free_.size()) return;
      taken.push_back(slot);
      on.push_back(sm);
      if (free_[slot].time > 0) at = std::max(at, free_[slot].time + timing_.latency_block_replacement);
    }
    std::ranges::sort(taken, std::greater<>());
    for (const std::size_t i : taken) free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
    start_group(sms, on, at);
  }
}

}  // namespace warpwalk::gpu

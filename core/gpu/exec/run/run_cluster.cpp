#include "core/gpu/exec/run/run_cluster.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/check/sanitizer.h"

namespace warpwalk::gpu {

namespace {

/// Position of an element in a box of this size, counted with x fastest.
std::array<std::uint32_t, 3> position_in(std::uint64_t index, const std::array<std::uint32_t, 3>& size) {
  return {static_cast<std::uint32_t>(index % size[0]), static_cast<std::uint32_t>(index / size[0] % size[1]),
          static_cast<std::uint32_t>(index / size[0] / size[1])};
}

/// Index in the grid of the block with this rank in a cluster.
std::uint64_t block_index(const LaunchContext& context, std::uint64_t cluster, std::uint32_t rank) {
  const auto& grid = context.launch->grid;
  const auto& size = context.cluster;
  const auto at = position_in(cluster, {grid[0] / size[0], grid[1] / size[1], grid[2] / size[2]});
  const auto within = position_in(rank, size);
  std::array<std::uint64_t, 3> block{};
  for (std::size_t i = 0; i < 3; ++i) block[i] = std::uint64_t{at[i]} * size[i] + within[i];
  return (block[2] * grid[1] + block[1]) * grid[0] + block[0];
}

std::uint32_t blocks_per_cluster(const LaunchContext& context) {
  return context.cluster[0] * context.cluster[1] * context.cluster[2];
}

}  // namespace

BlockState& BlockGroup::first_block(bool ready) const {
  const auto can_run = [](const Warp& warp) {
    return !warp.done() &&
           std::ranges::any_of(warp.splits, [](const Split& split) { return split.state == SplitState::ready; });
  };
  for (std::size_t rank = 0; rank < blocks.size(); ++rank)
    if (done[rank] == 0 && (!ready || std::ranges::any_of(blocks[rank]->warps, can_run))) return *blocks[rank];
  return *blocks.front();
}

std::uint64_t count_groups(const LaunchContext& context) {
  const auto& grid = context.launch->grid;
  return std::uint64_t{grid[0]} * grid[1] * grid[2] / blocks_per_cluster(context);
}

std::pair<std::uint64_t, std::uint32_t> group_of(const LaunchContext& context, std::uint64_t block) {
  const auto& grid = context.launch->grid;
  const auto& size = context.cluster;
  const auto at = position_in(block, grid);
  std::uint64_t group = 0, rank = 0;
  for (std::size_t i = 3; i-- > 0;) {
    group = group * (grid[i] / size[i]) + at[i] / size[i];
    rank = rank * size[i] + at[i] % size[i];
  }
  return {group, static_cast<std::uint32_t>(rank)};
}

void reset_group(BlockGroup& group, const LaunchContext& context, std::uint64_t index, bool sanitize) {
  const std::uint32_t size = blocks_per_cluster(context);
  const bool in_cluster = context.explicit_cluster || context.program->uses_clusters;
  group.blocks.resize(size);
  group.done.assign(size, 0);
  group.cluster = {};
  std::shared_ptr<SharedShadow> shadow;
  if (in_cluster && sanitize)
    shadow = std::make_shared<SharedShadow>(context.shared_bytes * size, context.warps_per_block * size);
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    std::unique_ptr<BlockState>& block = group.blocks[rank];
    if (block == nullptr) block = std::make_unique<BlockState>();
    reset_block(*block, context, block_index(context, index, rank), rank, sanitize && !in_cluster);
    if (!in_cluster) continue;
    block->cluster = &group.cluster;
    block->first_warp = rank * context.warps_per_block;
    block->shadow = shadow;
    group.cluster.blocks.push_back(block.get());
  }
}

BlockResult run_group(Machine& m, BlockGroup& group) {
  group.progressed = false;
  for (;;) {
    bool progress = false, spun = false, changed = false, all_done = true;
    for (std::size_t rank = 0; rank < group.blocks.size(); ++rank) {
      if (group.done[rank] != 0) continue;
      BlockState& block = *group.blocks[rank];
      const std::uint64_t issued_before = block.issued_operations;
      const std::uint32_t idle_before = block.idle_rounds;
      const BlockResult end = run_block(m, block);
      if (end == BlockResult::stopped) return end;
      if (end == BlockResult::done) {
        group.done[rank] = 1;
        progress = true;
        continue;
      }
      all_done = false;
      if (m.context.cancel != nullptr && m.context.cancel->load(std::memory_order_relaxed)) return BlockResult::yields;
      if (end == BlockResult::yields) {
        spun = true;
        if (block.idle_rounds <= idle_before) progress = true;
        changed |= std::exchange(block.changed_memory, false);
      } else if (block.issued_operations != issued_before) {
        progress = true;
      }
    }
    group.progressed = group.progressed || progress || changed;
    if (all_done) {
      if (group.cluster.blocks.empty() || m.sanitizer == nullptr) return BlockResult::done;
      m.block = group.blocks.front().get();
      m.sanitizer->block_ended(m);
      return BlockResult::done;
    }
    if (spun && (!progress || group.blocks.size() == 1)) return BlockResult::yields;
    if (progress) continue;
    report_deadlock(m, group.first_block(false), false);
    if (m.sanitizer != nullptr) m.sanitizer->block_ended(m);
    return BlockResult::stopped;
  }
}

}  // namespace warpwalk::gpu

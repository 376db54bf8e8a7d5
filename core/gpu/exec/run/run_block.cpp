#include "core/gpu/exec/run/run_block.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/run/infinite_loop.h"
#include "core/gpu/exec/run/stack.h"
#include "core/platform/give_way.h"

namespace warpwalk::gpu {

namespace {

/// Operations that a warp issues before the next warp runs. Large, since switching has a cost. The value does not
/// change the results of race-free programs.
constexpr std::uint64_t turn_length = 1 << 14;
/// Operations before the first check of a warp for an infinite loop. Later checks follow after 25 % more each time.
constexpr std::uint64_t first_watch = 1 << 18;
/// Consecutive rounds in which every warp only polls memory, before other blocks run.
constexpr std::uint32_t idle_patience = 8;

/// True for special registers whose values depend only on the warp's index in its block.
bool same_in_every_block(ptx::Special special) {
  switch (special) {
    case ptx::Special::ctaid_x:
    case ptx::Special::ctaid_y:
    case ptx::Special::ctaid_z:
    case ptx::Special::clusterid_x:
    case ptx::Special::clusterid_y:
    case ptx::Special::clusterid_z:
    case ptx::Special::cluster_ctaid_x:
    case ptx::Special::cluster_ctaid_y:
    case ptx::Special::cluster_ctaid_z:
    case ptx::Special::cluster_ctarank:
    case ptx::Special::smid: return false;
    default: return true;
  }
}

std::uint32_t special_value(const LaunchContext& context, const BlockState& block, const Warp& warp,
                            ptx::Special special, int lane) {
  using ptx::Special;
  const auto& size = context.launch->block;
  const auto& grid = context.launch->grid;
  const auto& cluster = context.cluster;
  const std::uint32_t thread = warp.id * 32 + static_cast<std::uint32_t>(lane);
  const std::uint32_t bit = 1u << lane;
  switch (special) {
    case Special::tid_x: return thread % size[0];
    case Special::tid_y: return thread / size[0] % size[1];
    case Special::tid_z: return thread / size[0] / size[1];
    case Special::ntid_x: return size[0];
    case Special::ntid_y: return size[1];
    case Special::ntid_z: return size[2];
    case Special::ctaid_x: return block.id[0];
    case Special::ctaid_y: return block.id[1];
    case Special::ctaid_z: return block.id[2];
    case Special::nctaid_x: return grid[0];
    case Special::nctaid_y: return grid[1];
    case Special::nctaid_z: return grid[2];
    case Special::laneid: return static_cast<std::uint32_t>(lane);
    case Special::warpid: return warp.id;
    case Special::nwarpid: return static_cast<std::uint32_t>(context.warps_per_sm);
    case Special::smid: return context.sm_of_block != nullptr ? (*context.sm_of_block)[block.index] : 0;
    case Special::nsmid: return context.sm_count;
    case Special::gridid: return 1;
    case Special::lanemask_eq: return bit;
    case Special::lanemask_lt: return bit - 1;
    case Special::lanemask_le: return bit | (bit - 1);
    case Special::lanemask_gt: return ~(bit | (bit - 1));
    case Special::lanemask_ge: return ~(bit - 1);
    case Special::dynamic_smem_size: return context.launch->dynamic_shared_bytes;
    case Special::total_smem_size: return context.shared_bytes;
    case Special::aggr_smem_size: return context.shared_bytes + shared_begin;
    case Special::reserved_smem_offset_1: return reserved_shared_offset + block.shared_base;
    case Special::clusterid_x: return block.id[0] / cluster[0];
    case Special::clusterid_y: return block.id[1] / cluster[1];
    case Special::clusterid_z: return block.id[2] / cluster[2];
    case Special::nclusterid_x: return grid[0] / cluster[0];
    case Special::nclusterid_y: return grid[1] / cluster[1];
    case Special::nclusterid_z: return grid[2] / cluster[2];
    case Special::cluster_ctaid_x: return block.id[0] % cluster[0];
    case Special::cluster_ctaid_y: return block.id[1] % cluster[1];
    case Special::cluster_ctaid_z: return block.id[2] % cluster[2];
    case Special::cluster_nctaid_x: return cluster[0];
    case Special::cluster_nctaid_y: return cluster[1];
    case Special::cluster_nctaid_z: return cluster[2];
    case Special::cluster_ctarank: return block.cluster_rank;
    case Special::cluster_nctarank: return cluster[0] * cluster[1] * cluster[2];
    case Special::is_explicit_cluster: return context.explicit_cluster ? 1 : 0;
    case Special::envreg1: return context.launch->cooperative ? static_cast<std::uint32_t>(grid_workspace >> 32) : 0;
    case Special::envreg2: return context.launch->cooperative ? static_cast<std::uint32_t>(grid_workspace) : 0;
    default: return 0;
  }
}

void start_warp(Warp& warp, const BlockState& block, const LaunchContext& context, std::uint32_t id) {
  const Program& program = *context.program;
  const std::uint32_t threads = std::min<std::uint32_t>(32, context.threads_per_block - id * 32);
  warp.id = id;
  warp.lanes_at_start = warp.live_lanes = threads == 32 ? all_lanes : (1u << threads) - 1;
  warp.carry = 0;
  warp.issued_operations = 0;
  warp.watch = {};
  warp.watch.next = first_watch;
  warp.last_priority = 0;
  warp.polled_memory = warp.changed_memory = false;
  warp.cluster_arrived = warp.cluster_pending = 0;
  warp.group_arrivals = warp.group_commits = 0;
  warp.failed_test = {};
  warp.ended_at = no_index;
  warp.barrier_uses.fill(no_index);
  warp.registers.assign(std::max<std::size_t>(warp.registers.size(), program.functions[0].frame_bytes), 0);
  const bool fresh = warp.special.size() != program.special_bytes;
  warp.special.resize(program.special_bytes);
  std::fill(warp.stack.begin(), warp.stack.end(), 0);
  std::fill(warp.stack_written.begin(), warp.stack_written.end(), 0);
  warp.unwritten.clear();
  warp.product_registers.clear();
  warp.unfenced_registers.clear();
  warp.fenced_since_wait = false;
  grow_stack(warp, program.functions[0].local_bytes);
  for (const auto& [special, offset] : program.specials) {
    if (!fresh && same_in_every_block(special)) continue;
    auto* const values = reinterpret_cast<std::uint32_t*>(warp.special.data() + offset);
    const int different = same_in_every_block(special) ? lanes_per_warp : 1;
    for (int lane = 0; lane < different; ++lane) values[lane] = special_value(context, block, warp, special, lane);
    if (different == 1) std::fill(values + 1, values + lanes_per_warp, values[0]);
  }
  std::fill(warp.splits.begin(), warp.splits.begin() + warp.splits_in_use, Split{});
  warp.splits_in_use = 1;
  Split& all = warp.splits[0];
  all.state = SplitState::ready;
  all.mask = warp.live_lanes;
  all.pc = program.functions[0].entry;
}

}  // namespace

void reset_block(BlockState& block, const LaunchContext& context, std::uint64_t index, std::uint32_t cluster_rank,
                 bool sanitize) {
  const auto& grid = context.launch->grid;
  block.index = index;
  block.id = {static_cast<std::uint32_t>(index % grid[0]), static_cast<std::uint32_t>(index / grid[0] % grid[1]),
              static_cast<std::uint32_t>(index / grid[0] / grid[1])};
  block.cluster = nullptr;
  block.cluster_rank = cluster_rank;
  block.shared_base = cluster_rank << block_rank_shift;
  block.first_warp = 0;
  block.live_threads = context.threads_per_block;
  block.issued_operations = 0;
  block.idle_rounds = 0;
  // On a GPU, shared memory starts with undefined contents; zeros make runs reproducible.
  block.shared.assign(context.shared_bytes, 0);
  block.reserved.assign(context.program->uses_reserved_shared ? reserved_shared_bytes : 0, 0);
  block.remote_touches.clear();
  block.barriers.fill(BarrierState{});
  block.mbarriers.clear();
  block.warps.resize(context.warps_per_block);
  block.shadow = sanitize ? std::make_shared<SharedShadow>(context.shared_bytes, context.warps_per_block) : nullptr;
  for (std::uint32_t id = 0; id < context.warps_per_block; ++id) start_warp(block.warps[id], block, context, id);
}

namespace {

bool waits_for_cluster(const BlockState& block) {
  return block.cluster != nullptr && std::ranges::any_of(block.warps, [](const Warp& warp) {
           return std::ranges::any_of(warp.used_splits(),
                                      [](const Split& split) { return split.state == SplitState::at_cluster_barrier; });
         });
}

BlockResult run_warps(Machine& m, BlockState& block) {
  for (;;) {
    bool progress = false, spun = false, all_done = true;
    for (Warp& warp : block.warps) {
      if (warp.done()) continue;
      all_done = false;
      const std::uint64_t before = warp.issued_operations;
      Pause pause = m.run_warp(block, warp, turn_length);
      if (m.context.block_operations != nullptr)
        m.context.block_operations->store(block.issued_operations, std::memory_order_relaxed);
      if (pause == Pause::quota_used && warp.issued_operations >= warp.watch.next) {
        warp.watch.next = warp.issued_operations + warp.issued_operations / 4;
        pause = check_infinite_loop(m, block, warp);
      }
      if (pause == Pause::waiting && warp.issued_operations >= first_watch && check_barrier_loop(m, warp))
        pause = Pause::stop;
      if (pause == Pause::stop) return BlockResult::stopped;
      platform::give_way();
      if (m.context.cancel != nullptr && m.context.cancel->load(std::memory_order_relaxed)) return BlockResult::yields;
      if (pause == Pause::polling) {
        spun = true;
        block.changed_memory |= std::exchange(warp.changed_memory, false);
      } else if (warp.issued_operations != before) {
        progress = true;
      }
      const bool too_many = block.issued_operations > m.context.operation_limit;
      const Split* split = too_many ? next_split(warp) : nullptr;
      if (too_many && split == nullptr) split = waiting_split(warp);
      if (split != nullptr) {
        m.report_and_stop(FindingKind::runaway, op_with_source(m, split->pc), split->mask,
                          fmt::format("seems to be in an infinite loop: its block has issued more than {} operations, "
                                      "the limit per block (warpwalk simulate --limit N allows more)",
                                      m.context.operation_limit));
        return BlockResult::stopped;
      }
    }
    if (all_done) return BlockResult::done;
    if (progress) {
      block.idle_rounds = 0;
      continue;
    }
    if (!spun) {
      if (waits_for_cluster(block)) return BlockResult::waits;
      report_deadlock(m, block, false);
      return BlockResult::stopped;
    }
    if (++block.idle_rounds % idle_patience == 0) return BlockResult::yields;
  }
}

}  // namespace

BlockResult run_block(Machine& m, BlockState& block) {
  const BlockResult end = run_warps(m, block);
  const bool ended = end == BlockResult::stopped || (end == BlockResult::done && block.cluster == nullptr);
  if (ended && m.sanitizer != nullptr) m.sanitizer->block_ended(m);
  return end;
}

}  // namespace warpwalk::gpu

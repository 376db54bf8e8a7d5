#include <bit>

#include <fmt/format.h>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

namespace {

/// Ends the phase of the cluster's barrier and releases the lanes that wait for it.
void complete_cluster_barrier(Machine& m, ClusterState& cluster) {
  for (BlockState* const block : cluster.blocks) {
    for (Warp& warp : block->warps) {
      warp.cluster_pending = 0;
      for (Split& split : warp.used_splits()) {
        if (split.state != SplitState::at_cluster_barrier) continue;
        warp.cluster_arrived &= ~split.mask;
        if (m.sanitizer != nullptr) m.sanitizer->cluster_wait(*block, warp, cluster.phase);
        ++split.pc;
        split.state = SplitState::ready;
      }
    }
  }
  cluster.arrived = 0;
  ++cluster.phase;
}

}  // namespace

std::uint32_t own_lanes(const Machine& m, std::uint32_t mask, const std::uint64_t* at) {
  if (m.block->cluster == nullptr) return mask;
  std::uint32_t own = 0;
  for_lanes(mask, [&](int lane) {
    if (at[lane] >> block_rank_shift == m.block->cluster_rank) own |= 1u << lane;
  });
  return own;
}

void Machine::complete_cluster_barrier_if_last() {
  ClusterState* const cluster = block->cluster;
  if (cluster == nullptr || cluster->arrived == 0 || cluster->arrived < cluster->live_threads()) return;
  complete_cluster_barrier(*this, *cluster);
}

namespace handlers {

void cluster_arrive(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  const std::uint32_t again = m.warp->cluster_arrived & mask;
  if (again != 0) {
    return m.report_and_stop(FindingKind::barrier, op, again,
                             "arrives at the cluster's barrier again without waiting in between: each arrive needs a "
                             "wait of the same thread");
  }
  m.warp->cluster_arrived |= mask;
  m.warp->cluster_pending |= mask;
  m.block->cluster->arrived += static_cast<std::uint32_t>(std::popcount(mask));
  if (m.sanitizer != nullptr) m.sanitizer->cluster_arrive(m, op.immediate != 0);
  m.complete_cluster_barrier_if_last();
}

void cluster_wait(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  const std::uint32_t never = mask & ~m.warp->cluster_arrived;
  if (never != 0) {
    return m.report_and_stop(FindingKind::barrier, op, never,
                             "waits at the cluster's barrier without having arrived there first");
  }
  if ((m.warp->cluster_pending & mask) != 0) return m.wait(SplitState::at_cluster_barrier, op);
  m.warp->cluster_arrived &= ~mask;
  if (m.sanitizer != nullptr) m.sanitizer->cluster_wait(*m.block, *m.warp, m.block->cluster->phase - 1);
}

void shared_address(Machine& m, const Op& op) {
  std::uint8_t* const d = m.at<std::uint8_t>(op.d);
  const std::uint64_t address = op.immediate + m.block->shared_base;
  for_lanes(m.executing_lanes(op), [&](int lane) { set_lane(d, op.bytes, lane, address); });
}

void map_to_block(Machine& m, const Op& op) {
  const std::uint8_t* const a = m.at<const std::uint8_t>(op.a);
  const auto* const rank = m.at<const std::uint32_t>(op.b);
  std::uint8_t* const d = m.at<std::uint8_t>(op.d);
  constexpr std::uint64_t rank_bits = std::uint64_t{0xff} << block_rank_shift;
  for_lanes(m.executing_lanes(op), [&](int lane) {
    const std::uint64_t to = std::uint64_t{rank[lane] & 0xff} << block_rank_shift;
    set_lane(d, op.bytes, lane, (get_lane(a, op.bytes, lane) & ~rank_bits) | to);
  });
}

void rank_of_address(Machine& m, const Op& op) {
  const std::uint8_t* const a = m.at<const std::uint8_t>(op.a);
  auto* const d = m.at<std::uint32_t>(op.d);
  for_lanes(m.executing_lanes(op), [&](int lane) {
    d[lane] = static_cast<std::uint32_t>(get_lane(a, op.bytes, lane) >> block_rank_shift) & 0xff;
  });
}

void explicit_cluster(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  std::uint32_t& p = m.predicate(op.p_out);
  p = m.context.explicit_cluster ? p | mask : p & ~mask;
}

}  // namespace handlers

}  // namespace warpwalk::gpu

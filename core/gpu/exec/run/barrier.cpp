#include <bit>

#include <fmt/format.h>

#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

namespace {

/// Reports warps whose lanes are not all at the barrier when it completes; at the same instruction, unless it is a
/// barrier.sync without .aligned. Lanes may arrive at different times (e.g. diverged by a spin lock), but all must
/// arrive. A barrier.sync for a number of threads is for any of them.
void check_whole_warps(Machine& m, std::uint32_t id) {
  const auto waits = [&](const Split& split) { return split.state == SplitState::at_barrier && split.barrier == id; };
  for (const Warp& warp : m.block->warps) {
    for (std::size_t i = 0; i < warp.splits.size(); ++i) {
      const Split& split = warp.splits[i];
      const Op& op = m.program.ops[split.pc];
      if (!waits(split)) continue;
      const BarrierOp& how = m.program.barrier_ops[op.table_index];
      if (!how.aligned && how.has_count) continue;
      std::uint32_t together = 0;
      bool first = true;
      for (std::size_t k = 0; k < warp.splits.size(); ++k) {
        const Split& other = warp.splits[k];
        if (!waits(other) || (how.aligned && other.pc != split.pc)) continue;
        together |= other.mask;
        if (k < i) first = false;
      }
      const std::uint32_t missing = warp.lanes_at_start & ~together;
      if (!first || missing == 0) continue;
      m.report_thread(
          FindingKind::barrier, op.instruction, warp.id * 32 + static_cast<std::uint32_t>(std::countr_zero(together)),
          fmt::format(
              "waits at a barrier that {} other threads of its warp do not reach{}: all threads of a block must "
              "reach the same barrier, even inside an `if` or a loop",
              std::popcount(missing), (missing & warp.live_lanes) == 0 ? " before they exit" : ""),
          {}, no_index, static_cast<std::uint64_t>(std::popcount(together)));
    }
  }
}

/// Releases all lanes that wait at a barrier and writes the results of bar.red.
void complete_barrier(Machine& m, std::uint32_t id) {
  if (m.sanitizer != nullptr) check_whole_warps(m, id);
  BarrierState& barrier = m.block->barriers[id];
  std::uint64_t warps = 0;
  for (Warp& warp : m.block->warps) {
    for (Split& split : warp.used_splits()) {
      if (split.state != SplitState::at_barrier || split.barrier != id) continue;
      warps |= std::uint64_t{1} << warp.id;
      const Op& op = m.program.ops[split.pc];
      const BarrierOp& how = m.program.barrier_ops[op.table_index];
      std::uint8_t* const frame = warp.registers.data() + split.frame;
      if (how.reduce && op.p_out >= 0) {
        auto& p = *reinterpret_cast<std::uint32_t*>(frame + op.p_out);
        const bool value = how.action == ptx::Action::and_ ? barrier.all : barrier.any;
        p = (p & ~split.mask) | (value ? split.mask : 0);
      } else if (how.reduce) {
        auto* const d = reinterpret_cast<std::uint32_t*>(frame + op.d.offset());
        for_lanes(split.mask, [&](int lane) { d[lane] = barrier.popc; });
      }
      ++split.pc;
      split.state = SplitState::ready;
    }
  }
  if (m.sanitizer != nullptr) m.sanitizer->block_sync(m, warps, id);
  barrier = {};
}

bool complete(const Machine& m, const BarrierState& barrier) {
  return barrier.in_use && barrier.arrived >= (barrier.expected != 0 ? barrier.expected : m.block->live_threads);
}

}  // namespace

void Machine::threads_ended() {
  if (sanitizer != nullptr && warp->done()) sanitizer->warp_ended(*this);
  for (std::uint32_t id = 0; id < BlockState::barrier_count; ++id) {
    const BarrierState& barrier = block->barriers[id];
    if (barrier.expected == 0 && block->live_threads > 0 && complete(*this, barrier)) complete_barrier(*this, id);
  }
  if (sanitizer != nullptr && block->cluster != nullptr && block->live_threads == 0) sanitizer->leave_cluster(*this);
  complete_cluster_barrier_if_last();
  release_warp_group();
}

void handlers::barrier(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  const BarrierOp& how = m.program.barrier_ops[op.table_index];
  const int first = std::countr_zero(mask);
  const std::uint32_t id = m.at<const std::uint32_t>(op.a)[first];
  const std::uint32_t count = how.has_count ? m.at<const std::uint32_t>(op.b)[first] : 0;
  if (id >= BlockState::barrier_count) {
    return m.report_and_stop(FindingKind::barrier, op, mask,
                             fmt::format("uses barrier {}; valid numbers are 0 to 15", id));
  }
  const bool has_count = how.has_count && (count != 0 || op.immediate != zero_count_is_none);
  if (has_count && (count == 0 || count % 32 != 0)) {
    return m.report_and_stop(
        FindingKind::barrier, op, mask,
        fmt::format("waits at barrier {} for {} threads; the number must be a multiple of 32", id, count));
  }
  BarrierState& barrier = m.block->barriers[id];
  barrier.in_use = true;
  m.warp->barrier_uses[id] = op.instruction;
  barrier.expected = count;
  // With an explicit thread count, a warp counts as 32 threads even if some of its lanes have ended.
  const bool whole = mask == m.warp->live_lanes;
  barrier.arrived += has_count && whole ? 32 : static_cast<std::uint32_t>(std::popcount(mask));
  if (how.reduce) {
    std::uint32_t p = op.p_in >= 0 ? m.predicate(op.p_in) : 0;
    if (op.p_in_negated) p = ~p;
    barrier.popc += static_cast<std::uint32_t>(std::popcount(p & mask));
    barrier.all = barrier.all && (p & mask) == mask;
    barrier.any = barrier.any || (p & mask) != 0;
  }
  if (how.arrive) {
    if (m.sanitizer != nullptr) m.sanitizer->arrive(m, id);
  } else {
    m.split->barrier = id;
    m.wait(SplitState::at_barrier, op);
  }
  if (complete(m, barrier)) complete_barrier(m, id);
}

}  // namespace warpwalk::gpu

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"
#include "core/gpu/exec/run/mbarrier_state.h"

namespace warpwalk::gpu::handlers {

namespace {

/// Finds the host pointers of the barriers in shared memory; returns the valid lanes.
std::uint32_t reach_barriers(Machine& m, const Op& op, bool writes, std::uint64_t* at, Places& places) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return 0;
  m.warp->polled_memory = true;
  m.addresses(op, m.program.accesses[op.table_index], at);
  return m.translate_shared(op, mask, at, 8, writes, places, writes);
}

template <class Layout>
void arrive(Machine& m, const Op& op) {
  const MbarrierOp& how = m.program.mbarriers[op.target];
  const bool expects = how.opcode == ptx::Opcode::mbarrier_expect_tx;
  const bool completes = how.opcode == ptx::Opcode::mbarrier_complete_tx;
  const MbarrierStep step = completes           ? MbarrierStep::copies
                            : expects           ? MbarrierStep::expects
                            : how.expects_bytes ? MbarrierStep::arrives_and_expects
                                                : MbarrierStep::arrives;
  alignas(64) std::uint64_t at[lanes_per_warp];
  Places places;
  const std::uint32_t mask = reach_barriers(m, op, true, at, places);
  if (m.access_log != nullptr) m.access_log->changes_phase = true;
  const auto* const values = m.at<const std::uint32_t>(op.b);
  std::uint32_t wrong = 0;
  for_lanes(mask, [&](int lane) {
    m.note_mbarrier(op, at[lane], places.host[lane], step);
    const std::uint64_t before = mbarrier_bits(places.host[lane]);
    MbarrierState state = Layout::state_of(before);
    const std::uint32_t arrivals = expects || completes ? 0 : how.expects_bytes ? 1 : values[lane];
    if (arrivals > state.pending) {
      wrong |= 1u << lane;
      return;
    }
    if (expects || how.expects_bytes) state.expect_bytes(values[lane]);
    if (completes) state.expect_bytes(0U - values[lane]);
    if (how.opcode == ptx::Opcode::mbarrier_arrive_drop) state.expected -= std::min(arrivals, state.expected);
    state.pending -= arrivals;
    if (!expects) state.end_phase_if_complete();
    const std::uint64_t after = Layout::bits_of(state);
    std::memcpy(places.host[lane], &after, sizeof after);
    if (how.returns) m.at<std::uint64_t>(op.d)[lane] = before;
  });
  if (wrong == 0) return;
  const MbarrierState state = Layout::state_of(mbarrier_bits(places.host[std::countr_zero(wrong)]));
  m.report_and_stop(FindingKind::barrier, op, wrong,
                    fmt::format("arrives at an mbarrier in shared memory that expects only {} more of {} arrivals{}",
                                state.pending, state.expected, state.expected == 0 ? ": was it initialised?" : ""));
}

}  // namespace

void arrive_at_mbarrier(Machine& m, const Op& op) { arrive<Layout90>(m, op); }
void arrive_at_older_mbarrier(Machine& m, const Op& op) { arrive<Layout80>(m, op); }

void check_mbarrier_phase(Machine& m, const Op& op) {
  alignas(64) std::uint64_t at[lanes_per_warp];
  Places places;
  const std::uint32_t mask = reach_barriers(m, op, false, at, places);
  std::uint32_t ended = 0;
  for_lanes(mask, [&](int lane) {
    const bool waits_for_odd = m.at<const std::uint32_t>(op.c)[lane] >> 31 != 0;
    if (Layout90::state_of(mbarrier_bits(places.host[lane])).odd != waits_for_odd) ended |= 1u << lane;
  });
  const std::uint32_t failed = mask & ~ended;
  if (mask != 0)
    m.note_mbarrier_test(op, failed, at,
                         failed != 0 && m.at<const std::uint32_t>(op.c)[std::countr_zero(failed)] >> 31 != 0);
  // All arrivals of the phase happen before any wait for it returns.
  if (ended != 0 && m.sanitizer != nullptr) m.sanitizer->warp_sync(m, m.warp->live_lanes);
  if (op.p_out >= 0) m.predicate(op.p_out) = (m.predicate(op.p_out) & ~mask) | ended;
  if (m.access_log == nullptr || op.p_out < 0) return;
  PhaseWait& wait = m.access_log->phase_wait;
  wait.lanes = mask & ~ended;
  wait.odd = 0;
  wait.predicate = m.split->frame + static_cast<std::uint32_t>(op.p_out);
  for_lanes(wait.lanes, [&](int lane) {
    wait.at[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(at[lane]);
    if (m.at<const std::uint32_t>(op.c)[lane] >> 31 != 0) wait.odd |= 1U << lane;
  });
}

}  // namespace warpwalk::gpu::handlers

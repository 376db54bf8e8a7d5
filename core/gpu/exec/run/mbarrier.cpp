#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/run/mbarrier_state.h"

namespace warpwalk::gpu::handlers {

namespace {

using ptx::Opcode;

/// Finds the host pointers of the barriers in shared memory; returns the valid lanes.
std::uint32_t reach_barriers(Machine& m, const Op& op, bool writes, bool atomic, std::uint64_t* at, Places& places) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return 0;
  m.addresses(op, m.program.accesses[op.table_index], at);
  for (int lane = 0; lane < lanes_per_warp; ++lane)
    if (at[lane] - shared_window < shared_window_bytes) at[lane] -= shared_window;
  return m.translate_shared(op, mask, at, 8, writes, places, atomic);
}

void put_bits(std::uint8_t* place, std::uint64_t bits) { std::memcpy(place, &bits, sizeof bits); }

/// Applies an instruction to a barrier. Returns false if more threads arrive than are pending; the barrier is then
/// unchanged.
bool change(MbarrierState& state, const MbarrierOp& how, std::uint32_t value) {
  std::uint32_t arrivals = 0;
  switch (how.opcode) {
    case Opcode::mbarrier_expect_tx: state.expect_bytes(value); return true;
    case Opcode::mbarrier_complete_tx:
      state.expect_bytes(0U - value);
      state.end_phase_if_complete();
      return true;
    case Opcode::cp_async_mbarrier_arrive:
      // Copies complete immediately (copy_async), so the thread arrives immediately.
      arrivals = 1;
      if (how.adds_pending_arrival) ++state.pending;
      break;
    default: arrivals = how.expects_bytes ? 1 : value; break;
  }
  if (arrivals > state.pending) return false;
  if (how.expects_bytes) state.expect_bytes(value);
  if (how.opcode == Opcode::mbarrier_arrive_drop) state.expected -= std::min(arrivals, state.expected);
  state.pending -= arrivals;
  state.end_phase_if_complete();
  return true;
}

}  // namespace

void change_mbarrier(Machine& m, const Op& op) {
  const MbarrierOp& how = m.program.mbarriers[op.target];
  const bool fresh = how.opcode == Opcode::mbarrier_init || how.opcode == Opcode::mbarrier_inval;
  const bool copies = how.opcode == Opcode::mbarrier_complete_tx;
  const MbarrierStep step = copies                                     ? MbarrierStep::copies
                            : how.opcode == Opcode::mbarrier_expect_tx ? MbarrierStep::expects
                            : how.expects_bytes                        ? MbarrierStep::arrives_and_expects
                                                                       : MbarrierStep::arrives;
  alignas(64) std::uint64_t at[lanes_per_warp];
  Places places;
  const std::uint32_t mask = reach_barriers(m, op, true, !fresh, at, places);
  m.warp->polled_memory = true;
  const auto* const values = m.at<const std::uint32_t>(op.b);
  std::uint32_t wrong = 0;
  for_lanes(mask, [&](int lane) {
    if (how.opcode == Opcode::mbarrier_inval) return put_bits(places.host[lane], 0);
    if (how.opcode == Opcode::mbarrier_init) {
      MbarrierState state;
      state.expected = state.pending = values[lane] & MbarrierState::maximum;
      return put_bits(places.host[lane], Layout90::bits_of(state));
    }
    m.note_mbarrier(op, at[lane], places.host[lane], step);
    const std::uint64_t before = mbarrier_bits(places.host[lane]);
    MbarrierState state = Layout90::state_of(before);
    if (!change(state, how, values[lane])) wrong |= 1u << lane;
    put_bits(places.host[lane], Layout90::bits_of(state));
    if (how.returns) m.at<std::uint64_t>(op.d)[lane] = before;
  });
  if (wrong == 0) return;
  const MbarrierState state = Layout90::state_of(mbarrier_bits(places.host[std::countr_zero(wrong)]));
  m.report_and_stop(FindingKind::barrier, op, wrong,
                    fmt::format("arrives at an mbarrier in shared memory that expects only {} more of {} arrivals{}",
                                state.pending, state.expected, state.expected == 0 ? ": was it initialised?" : ""));
}

void test_mbarrier(Machine& m, const Op& op) {
  const MbarrierOp& how = m.program.mbarriers[op.target];
  alignas(64) std::uint64_t at[lanes_per_warp];
  Places places;
  const std::uint32_t mask = reach_barriers(m, op, false, false, at, places);
  m.warp->polled_memory = true;
  std::uint32_t ended = 0;
  for_lanes(mask, [&](int lane) {
    const bool odd = Layout90::state_of(mbarrier_bits(places.host[lane])).odd;
    const bool waited_for = how.by_parity ? (m.at<const std::uint32_t>(op.c)[lane] & 1) != 0
                                          : Layout90::state_of(m.at<const std::uint64_t>(op.c)[lane]).odd;
    if (odd != waited_for) ended |= 1u << lane;
  });
  const std::uint32_t failed = mask & ~ended;
  if (mask != 0) {
    const bool odd = failed != 0 && Layout90::state_of(mbarrier_bits(places.host[std::countr_zero(failed)])).odd;
    m.note_mbarrier_test(op, failed, at, odd);
  }
  // All arrivals of the phase happen before any wait for it returns.
  if (ended != 0 && m.sanitizer != nullptr) m.sanitizer->warp_sync(m, m.warp->live_lanes);
  if (op.p_out >= 0) m.predicate(op.p_out) = (m.predicate(op.p_out) & ~mask) | ended;
}

void pending_of_mbarrier(Machine& m, const Op& op) {
  for_lanes(m.executing_lanes(op), [&](int lane) {
    m.at<std::uint32_t>(op.d)[lane] = Layout90::state_of(m.at<const std::uint64_t>(op.a)[lane]).pending;
  });
}

}  // namespace warpwalk::gpu::handlers

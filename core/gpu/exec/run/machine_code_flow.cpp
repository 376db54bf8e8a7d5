#include <bit>

#include <fmt/format.h>

#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu::handlers {

namespace {

/// If a predicate excludes some of the split's lanes, they continue on their own, and the executing lanes come back to
/// this op. Returns true if the split was divided.
bool separate(Machine& m, const Op& op, std::uint32_t executing) {
  if (executing == m.active_mask) return false;
  // diverge() only separates different targets, so the op itself serves as the target of the executing lanes.
  m.diverge(op, executing, m.pc_of(op));
  return true;
}

/// Separates the lanes in `same` from the others. Both groups execute this op again.
void separate_lanes(Machine& m, const Op& op, std::uint32_t same) {
  std::uint32_t targets[lanes_per_warp];
  for (int lane = 0; lane < lanes_per_warp; ++lane) targets[lane] = (same >> lane & 1) != 0 ? m.pc_of(op) : no_index;
  m.diverge(op, targets);
  for (Split& split : m.warp->used_splits())
    if (split.state == SplitState::ready && split.pc == no_index) split.pc = m.pc_of(op);
}

std::uint32_t* barrier_register(const Machine& m, Slot slot) { return m.at<std::uint32_t>(slot); }

/// The lanes that a BSYNC or WARPSYNC synchronizes. Each lane has a copy of the mask, so that divergent groups can use
/// the same barrier register.
std::uint32_t named_lanes(const Machine& m, const Op& op, std::uint32_t group) {
  std::uint32_t named = group;
  const auto* const masks = m.at<const std::uint32_t>(op.a);
  for_lanes(group, [&](int lane) { named |= masks[lane]; });
  return named;
}
std::uint32_t wanted_lanes(const Machine& m, const Op& op, std::uint32_t group) {
  return named_lanes(m, op, group) & m.warp->live_lanes;
}

/// The lanes that wait in `state` at the op with this index, in splits that lie within `wanted`.
std::uint32_t waiting_lanes(const Machine& m, SplitState state, std::uint32_t pc, std::uint32_t wanted) {
  std::uint32_t waiting = 0;
  for (const Split& split : m.warp->used_splits())
    if (split.state == state && split.pc == pc && (split.mask & ~wanted) == 0) waiting |= split.mask;
  return waiting;
}

/// The same for all WARPSYNCs with the same mask: lanes may arrive at different instructions.
std::uint32_t synced_lanes(const Machine& m, std::uint32_t named) {
  std::uint32_t waiting = 0;
  for (const Split& split : m.warp->used_splits())
    if (split.state == SplitState::at_warp_sync && split.barrier == named) waiting |= split.mask;
  return waiting;
}

/// Makes the splits that wait at the same op as `first` one ready split after it. A BSYNC only brings lanes together:
/// unlike a WARPSYNC, it does not order their accesses to memory.
void release(Machine& m, Split& first, std::uint32_t lanes) {
  for (Split& other : m.warp->used_splits()) {
    if (&other == &first || other.state != first.state || other.pc != first.pc || (other.mask & ~lanes) != 0) continue;
    first.mask |= other.mask;
    other = Split{};
  }
  first.state = SplitState::ready;
  ++first.pc;
}

/// Releases the groups whose last missing lanes have exited or left.
void release_complete(Machine& m) {
  for (Split& split : m.warp->used_splits()) {
    const Op& op = m.program.ops[split.pc];
    if (split.state == SplitState::at_convergence) {
      const std::uint32_t wanted = wanted_lanes(m, op, split.mask);
      if ((wanted & ~waiting_lanes(m, split.state, split.pc, wanted)) == 0) release(m, split, wanted);
    } else if (split.state == SplitState::at_warp_sync) {
      const std::uint32_t named = split.barrier;
      if ((named & m.warp->live_lanes & ~synced_lanes(m, named)) != 0) continue;
      for (Split& other : m.warp->used_splits())
        if (other.state == SplitState::at_warp_sync && other.barrier == named) release(m, other, named);
      if (m.sanitizer != nullptr) m.sanitizer->warp_sync(m, named & m.warp->live_lanes);
    }
  }
}

}  // namespace

void jump(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  const auto* const address = m.at<const std::uint64_t>(op.a);
  const auto& first_op = m.program.machine_code->first_op;
  std::uint32_t targets[lanes_per_warp];
  std::uint32_t wrong = 0;
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    targets[lane] = m.pc;
    if ((mask >> lane & 1) == 0) continue;
    const std::uint64_t to = address[lane] + op.immediate;
    if (to % 16 != 0 || to / 16 >= first_op.size()) {
      wrong |= 1u << lane;
    } else {
      targets[lane] = first_op[to / 16];
    }
  }
  if (wrong != 0) {
    const bool calls = m.program.machine_code->instructions[op.instruction].opcode == sass::Opcode::call;
    m.report_and_stop(
        calls ? FindingKind::bad_call_target : FindingKind::bad_branch_target, op, wrong,
        fmt::format("{} address {:#x}, which is not an instruction of the kernel",
                    calls ? "calls a function at" : "jumps to", address[std::countr_zero(wrong)] + op.immediate));
    return;
  }
  m.diverge(op, targets);
}

void call_address(Machine& m, const Op& op) {
  if (m.active_mask == 0) return;
  const auto* const address = m.at<const std::uint64_t>(op.a);
  const std::uint64_t to = address[std::countr_zero(m.active_mask)] + op.immediate;
  std::uint32_t same = 0;
  for_lanes(m.active_mask, [&](int lane) {
    if (address[lane] + op.immediate == to) same |= 1u << lane;
  });
  if (same != m.active_mask) return separate_lanes(m, op, same);
  const auto& first_op = m.program.machine_code->first_op;
  const auto& system = m.program.machine_code->system_functions;
  const std::uint64_t place = (to - code_base) / 16, number = (to - system_function_base) / 16;
  if (to >= code_base && to % 16 == 0 && place < first_op.size()) {
    m.pc = first_op[place];
  } else if (to < system_function_base || to % 16 != 0 || number >= system.size()) {
    m.report_and_stop(FindingKind::bad_call_target, op, m.active_mask, "calls a function through an invalid pointer");
  } else if (system[number].run == nullptr) {
    m.report_and_stop(FindingKind::unsupported, op, m.active_mask,
                      fmt::format("calls `{}`, which is not supported by the simulated GPU", system[number].name));
  } else {
    Op call = op;
    call.table_index = system[number].call;
    system[number].run(m, call);
  }
}

void leave_code(Machine& m, const Op& op) {
  if (m.active_mask == 0) return;
  m.report_and_stop(
      FindingKind::bad_branch_target, op, m.active_mask,
      "has come to an instruction that the kernel's own jumps and calls do not lead to, by a wrong address");
}

void branch_if_divergent(Machine& m, const Op& op) {
  const std::uint32_t named = m.at<const std::uint32_t>(op.a)[std::countr_zero(m.active_mask)];
  const bool divergent = (named & m.warp->live_lanes & ~m.executing_lanes(op)) != 0;
  if (divergent == (op.immediate == 0)) m.diverge(op, m.active_mask, op.target);
}

namespace {

/// All active lanes branch. A loop that polls memory lets others run, as in branch().
void branch_all_lanes(Machine& m, const Op& op) {
  m.pc = op.target;
  if (op.backward) m.yield_if_polling();
}

}  // namespace

void branch_if_any(Machine& m, const Op& op) {
  if (m.executing_lanes(op) != 0) branch_all_lanes(m, op);
}

void branch_if_all(Machine& m, const Op& op) {
  if (m.executing_lanes(op) == m.active_mask) branch_all_lanes(m, op);
}

void exit_converging(Machine& m, const Op& op) {
  const std::uint32_t ended = m.executing_lanes(op);
  if (ended == 0) return;
  m.end_lanes(ended);
  m.threads_ended();
  release_complete(m);
}

void set_convergence(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  for_lanes(mask, [&](int lane) { barrier_register(m, op.d)[lane] = mask; });
}

void converge(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0 || separate(m, op, mask)) return;
  const std::uint32_t wanted = wanted_lanes(m, op, mask);
  const std::uint32_t waiting = waiting_lanes(m, SplitState::at_convergence, m.pc_of(op), wanted);
  if ((wanted & ~(mask | waiting)) != 0) return m.wait(SplitState::at_convergence, op);
  m.absorb(SplitState::at_convergence, op, wanted);
}

void leave_convergence(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  auto* const masks = barrier_register(m, op.a);
  std::uint32_t members = 0;
  for_lanes(mask, [&](int lane) { members |= masks[lane]; });
  for_lanes(members, [&](int lane) { masks[lane] &= ~mask; });
  release_complete(m);
}

namespace {

/// WARPSYNC.EXCLUSIVE: groups of lanes with different masks continue one after another. Returns true if the split was
/// divided.
bool separate_groups(Machine& m, const Op& op) {
  const auto* const masks = m.at<const std::uint32_t>(op.a);
  const std::uint32_t first = masks[std::countr_zero(m.active_mask)];
  std::uint32_t same = 0;
  for_lanes(m.active_mask, [&](int lane) {
    if (masks[lane] == first) same |= 1u << lane;
  });
  if (same == m.active_mask) return false;
  separate_lanes(m, op, same);
  return true;
}

/// Reports lanes that are not in their own mask.
void check_membership(Machine& m, const Op& op, std::uint32_t mask) {
  if (m.sanitizer == nullptr) return;
  const auto* const masks = m.at<const std::uint32_t>(op.a);
  std::uint32_t outside = 0;
  for_lanes(mask, [&](int lane) {
    if ((masks[lane] >> lane & 1) == 0) outside |= 1u << lane;
  });
  if (outside == 0) return;
  m.report(FindingKind::barrier, op, outside,
           fmt::format("executes a __syncwarp() or another .sync instruction whose member mask {:#010x} does not "
                       "include it: its bit must be set",
                       masks[std::countr_zero(outside)]));
}

}  // namespace

void sync_converged(Machine& m, const Op& op) {
  if (m.sanitizer == nullptr) return;
  if (const std::uint32_t mask = m.executing_lanes(op); mask != 0) m.sanitizer->warp_sync(m, mask);
}

void sync_lanes(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0 || separate(m, op, mask)) return;
  if (op.immediate != 0 && separate_groups(m, op)) return;
  check_membership(m, op, mask);
  const std::uint32_t named = named_lanes(m, op, mask);
  const std::uint32_t waiting = synced_lanes(m, named);
  if ((named & m.warp->live_lanes & ~(mask | waiting)) != 0) {
    m.split->barrier = named;
    return m.wait(SplitState::at_warp_sync, op);
  }
  m.absorb(SplitState::at_warp_sync, op, named);
  for (Split& other : m.warp->used_splits())
    if (other.state == SplitState::at_warp_sync && other.barrier == named) release(m, other, named);
  if (m.sanitizer != nullptr) m.sanitizer->warp_sync(m, named & m.warp->live_lanes);
}

}  // namespace warpwalk::gpu::handlers

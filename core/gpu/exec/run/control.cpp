#include <algorithm>
#include <bit>
#include <string>

#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/launch_check.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/run/stack.h"

namespace warpwalk::gpu::handlers {

namespace {

/// Maximum bytes of nested register frames per warp. More generous than a GPU: CUDA's default stack of 1 KB overflows
/// earlier.
constexpr std::uint32_t max_frame_bytes = 8u << 20;

/// End of the stack of the split's function, after the largest alloca of any of its lanes.
std::uint32_t stack_end(const Machine& m, const Function& function) {
  std::uint32_t maximum = 0;
  if (function.alloca_slot != no_index) {
    const auto* const taken = m.at<const std::uint32_t>(Slot::at(SlotSpace::frame, function.alloca_slot));
    for_lanes(m.active_mask, [&](int lane) { maximum = std::max(maximum, taken[lane]); });
  }
  return m.split->local + function.local_bytes + (maximum + 15) / 16 * 16;
}

/// Enters a function with all active lanes.
void enter_function(Machine& m, const Op& op, const Function& callee, const Call& call, const Function& caller) {
  Warp& warp = *m.warp;
  const std::uint32_t frame = m.split->frame + caller.frame_bytes;
  const std::uint32_t local = stack_end(m, caller);
  if (frame + callee.frame_bytes > max_frame_bytes || local + callee.local_bytes > local_stack_limit) {
    m.report_and_stop(
        FindingKind::stack_overflow, op, m.active_mask,
        "recurses too deeply in `" + callee.source->name + "`, perhaps infinitely: the thread's stack is full");
    return;
  }
  if (warp.registers.size() < frame + callee.frame_bytes) warp.registers.resize(frame + callee.frame_bytes);
  grow_stack(warp, local + callee.local_bytes);
  for (const CallCopy& copy : call.arguments) {
    copy_stack(warp, m.split->local + copy.caller, local + callee.parameter_offsets[copy.parameter], copy.bytes,
               m.active_mask);
  }
  std::uint8_t* const base = warp.registers.data() + frame;
  auto* const back = reinterpret_cast<std::uint32_t*>(base + callee.return_slot);
  auto* const back_frame = reinterpret_cast<std::uint32_t*>(base + callee.caller_frame_slot);
  auto* const back_local = reinterpret_cast<std::uint32_t*>(base + callee.caller_local_slot);
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    if ((m.active_mask >> lane & 1) == 0) continue;
    back[lane] = m.pc;  // the op after the call
    back_frame[lane] = m.split->frame;
    back_local[lane] = m.split->local;
  }
  if (callee.alloca_slot != no_index) {
    auto* const taken = reinterpret_cast<std::uint32_t*>(base + callee.alloca_slot);
    for_lanes(m.active_mask, [&](int lane) { taken[lane] = 0; });
  }
  if (m.sanitizer != nullptr) m.sanitizer->enter_frame(m, frame);
  m.split->frame = frame;
  m.split->local = local;
  m.register_files[0] = base;
  m.pc = callee.entry;
}

}  // namespace

void enter_block(Machine& m, const Op& op) {
  m.reconverge(m.pc_of(op));
  if (m.stop_split) return;
  ++m.tally.block_executions[op.block];
  m.tally.block_active_lanes[op.block] += static_cast<std::uint64_t>(std::popcount(m.active_mask));
}

void no_operation(Machine&, const Op&) {}

void carry_unwritten(Machine& m, const Op& op) {
  if (m.sanitizer != nullptr && !m.warp->unwritten.empty()) m.sanitizer->carry(m, op);
}

void branch(Machine& m, const Op& op) {
  const std::uint32_t taken = m.executing_lanes(op);
  if (op.backward && taken != 0) {
    m.diverge(op, taken, op.target);
    // After divergence, the splits alternate anyway.
    if (!m.stop_split) m.yield_if_polling();
    return;
  }
  m.diverge(op, taken, op.target);
}

void branch_table(Machine& m, const Op& op) {
  const auto& table = m.program.branch_tables[op.table_index];
  const auto* const index = m.at<const std::uint32_t>(op.a);
  const std::uint32_t taken = m.executing_lanes(op);
  std::uint32_t targets[lanes_per_warp];
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    targets[lane] = m.pc;
    if ((taken >> lane & 1) == 0) continue;
    if (index[lane] >= table.size()) {
      m.report_and_stop(FindingKind::bad_branch_target, op, 1u << lane,
                        "jumps with brx.idx to entry " + std::to_string(index[lane]) + " of a table with " +
                            std::to_string(table.size()) + " entries");
      return;
    }
    targets[lane] = table[index[lane]];
  }
  if (m.active_mask != 0) m.diverge(op, targets);
}

void call(Machine& m, const Op& op) {
  // A predicated call was lowered to a branch around the call, so all active lanes take it.
  const Function& caller = m.program.functions[op.immediate];
  enter_function(m, op, m.program.functions[op.target], m.program.calls[op.table_index], caller);
}

void call_indirect(Machine& m, const Op& op) {
  // Lanes that call the same function go together; the others execute this op again.
  const auto* const address = m.at<const std::uint64_t>(op.a);
  const std::uint64_t first = address[std::countr_zero(m.active_mask)];
  std::uint32_t same = 0;
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    if ((m.active_mask >> lane & 1) != 0 && address[lane] == first) same |= 1u << lane;
  }
  if (same != m.active_mask) {
    // Split the lanes of the first function from the others. Both splits restart at this op and reconverge after it.
    std::uint32_t targets[lanes_per_warp];
    for (int lane = 0; lane < lanes_per_warp; ++lane) targets[lane] = (same >> lane & 1) != 0 ? m.pc_of(op) : no_index;
    m.diverge(op, targets);
    for (Split& split : m.warp->splits) {
      if (split.state == SplitState::ready && split.pc == no_index) split.pc = m.pc_of(op);
    }
    return;
  }
  const std::uint64_t number = (first - function_base) / 16;
  const auto& known = m.program.function_of_module;
  const bool is_function = first >= function_base && (first - function_base) % 16 == 0 && number < known.size();
  if (is_function && !m.program.module->functions[number].defined) {
    m.report_and_stop(FindingKind::unsupported, op, m.active_mask,
                      "calls `" + m.program.module->functions[number].name +
                          "` through a pointer, which is not supported by the simulated GPU");
    return;
  }
  if (!is_function || known[number] < 0) {
    m.report_and_stop(FindingKind::bad_call_target, op, m.active_mask, "calls a function through an invalid pointer");
    return;
  }
  const Function& callee = m.program.functions[static_cast<std::size_t>(known[number])];
  const Call& how = m.program.calls[op.table_index];
  if (how.arguments.size() != callee.source->parameters.size() || how.results.size() != callee.source->returns.size()) {
    m.report_and_stop(
        FindingKind::bad_call_target, op, m.active_mask,
        "calls `" + callee.source->name + "` through a pointer with arguments that do not match its parameters");
    return;
  }
  enter_function(m, op, callee, how, m.program.functions[op.immediate]);
}

void return_from(Machine& m, const Op& op) {
  const Function& callee = m.program.functions[op.immediate];
  const int first = std::countr_zero(m.active_mask);
  const std::uint32_t local = m.split->local;
  m.pc = m.at<const std::uint32_t>(Slot::at(SlotSpace::frame, callee.return_slot))[first];
  const std::uint32_t frame = m.at<const std::uint32_t>(Slot::at(SlotSpace::frame, callee.caller_frame_slot))[first];
  m.split->local = m.at<const std::uint32_t>(Slot::at(SlotSpace::frame, callee.caller_local_slot))[first];
  m.split->frame = frame;
  m.register_files[0] = m.warp->registers.data() + frame;
  const Op& from = m.program.ops[m.pc - 1];
  for (const CallCopy& copy : m.program.calls[from.table_index].results) {
    copy_stack(*m.warp, local + callee.return_offsets[copy.parameter], m.split->local + copy.caller, copy.bytes,
               m.active_mask);
  }
}

void exit_lanes(Machine& m, const Op& op) {
  const std::uint32_t ended = m.executing_lanes(op);
  if (ended == 0) return;
  m.end_lanes(ended);
  // Lanes that have exited need not arrive (PTX ISA: "non-exited threads"): those that wait for them look again.
  for (Split& split : m.warp->splits)
    if (split.state == SplitState::at_warp_sync && (split.barrier & ended) != 0) split.state = SplitState::ready;
  m.threads_ended();
}

void trap(Machine& m, const Op& op) {
  const std::uint32_t lanes_here = m.executing_lanes(op);
  if (lanes_here != 0) m.report_and_stop(FindingKind::trap, op, lanes_here, "executes trap, which aborts the kernel");
}

}  // namespace warpwalk::gpu::handlers

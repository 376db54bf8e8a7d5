#include <algorithm>

#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

/// Lanes whose guard is false go on to the instruction after this one; the others execute it apart from them.
void MachineCodeLowering::skip_where_guard_fails() {
  if (guard_.offset < 0) return;
  Op& op = emit_plain(handlers::branch);
  op.guard = guard_.offset;
  op.guard_negated = !guard_.negated;
  targets_.push_back({static_cast<std::uint32_t>(program_.ops.size() - 1), i_->address + sass::instruction_bytes});
}

/// BAR: the number of the barrier and the thread count are registers or immediates.
void MachineCodeLowering::lower_barrier() {
  const Word operation = i_->word(Field::operation);
  BarrierOp barrier;
  barrier.arrive = operation == Word::arv;
  barrier.reduce = operation == Word::red;
  barrier.aligned = true;
  std::vector<const Operand*> values;
  const Operand* condition = nullptr;
  for (const Operand& o : i_->operands) {
    if (o.kind == OperandKind::predicate)
      condition = &o;
    else
      values.push_back(&o);
  }
  const auto given = [](const Operand& o) {
    return o.kind == OperandKind::integer ? o.value != 0 : o.reg != sass::zero_register;
  };
  barrier.has_count = values.size() > 1 && given(*values[1]);
  // A register holds the number in its low 4 bits and, if it is also the second operand, the thread count from bit 16
  // on.
  const bool packed = barrier.has_count && values[0]->kind == OperandKind::reg && values[1]->kind == OperandKind::reg;
  if (packed && values[0]->reg != values[1]->reg) refuse("with two registers is not supported");
  const auto bits = [&](unsigned first, unsigned number) {
    const Slot shifted = first == 0 ? word(*values[0]) : compute(machine::select_byte(first / 8), word(*values[0]));
    return compute(machine::extend({}), shifted, constant(number, 4));
  };
  const Slot id = values[0]->kind == OperandKind::reg ? bits(0, 4) : word(*values[0]);
  const Slot count = packed ? bits(16, 16) : barrier.has_count ? word(*values[1]) : Slot{};
  program_.barriers = std::max(program_.barriers,
                               values[0]->kind == OperandKind::integer ? static_cast<int>(values[0]->value) + 1 : 16);
  skip_where_guard_fails();
  Op& op = emit(handlers::barrier);
  op.a = id;
  op.b = count;
  op.immediate = packed ? handlers::zero_count_is_none : 0;
  if (barrier.reduce) {
    const Word combine = i_->word(Field::combine);
    set_predicate_in(op, *condition);
    barrier.action = combine == Word::and_  ? ptx::Action::and_
                     : combine == Word::or_ ? ptx::Action::or_
                                            : ptx::Action::popc;
    // B2R.RESULT reads the result.
    op.d = Slot::at(SlotSpace::frame, barrier_result_offset_);
    if (barrier.action != ptx::Action::popc) op.p_out = static_cast<std::int32_t>(barrier_predicate_offset_);
  }
  op.table_index = static_cast<std::uint32_t>(program_.barrier_ops.size());
  program_.barrier_ops.push_back(barrier);
}

/// Restricts the guard to the lanes where the condition among the operands holds, which most instructions of control
/// flow have besides their guard.
void MachineCodeLowering::use_condition() {
  if (i_->operands.empty() || operand(0).written) return;
  const auto is_condition = [](const Operand& o) {
    return o.kind == OperandKind::predicate || o.kind == OperandKind::uniform_predicate;
  };
  if (!is_condition(operand(0))) return;
  combine_guard(operand(0));
  // BRA.U has a uniform predicate after the usual one.
  if (i_->operands.size() > 1 && operand(1).kind == OperandKind::uniform_predicate) combine_guard(operand(1));
}

void MachineCodeLowering::lower_branch() {
  use_condition();
  const auto target = static_cast<std::uint64_t>(find(OperandKind::target)->value);
  const auto go_to_target = [&](Op& op) {
    op.backward = target <= i_->address;
    targets_.push_back({static_cast<std::uint32_t>(program_.ops.size() - 1), target});
  };
  if (has(Word::any)) return go_to_target(emit(handlers::branch_if_any));
  if (has(Word::u)) return go_to_target(emit(handlers::branch_if_all));
  const Operand* const mask = find(OperandKind::uniform_reg);
  Slot named = constant(0xffffffff, 4);
  if (mask != nullptr) named = mask->invert ? compute(machine::complement(), word(*mask)) : word(*mask);
  const bool divergent = has(Word::div) || has(Word::conv);
  Op& op = emit(divergent ? handlers::branch_if_divergent : handlers::branch);
  op.a = named;
  op.immediate = has(Word::conv) ? 1 : 0;
  go_to_target(op);
}

/// BRX
void MachineCodeLowering::lower_table_branch() {
  use_condition();
  const Slot base = wide(*find(OperandKind::reg));
  Op& op = emit(handlers::jump);
  op.a = base;
  op.immediate = i_->address + sass::instruction_bytes + static_cast<std::uint64_t>(i_->operands.back().value);
}

void MachineCodeLowering::lower_exit() {
  use_condition();
  emit(handlers::exit_converging);
}

/// BSSY, BSYNC and BREAK
void MachineCodeLowering::lower_convergence() {
  use_condition();
  const Slot barrier = convergence_register(*find(OperandKind::barrier));
  if (i_->opcode == Opcode::bssy) {
    emit(handlers::set_convergence).d = barrier;
  } else {
    emit(i_->opcode == Opcode::bsync ? handlers::converge : handlers::leave_convergence).a = barrier;
  }
}

/// BMOV
void MachineCodeLowering::lower_convergence_move() {
  const bool saves = operand(0).kind == OperandKind::reg;
  const Slot of_barrier = convergence_register(*find(OperandKind::barrier));
  const auto move = [&](Slot d, Slot a) {
    Op& op = emit(handlers::move);
    op.d = d;
    op.a = a;
    op.bytes = 4;
  };
  if (!saves) return move(of_barrier, word(operand(1)));
  move(destination(operand(0)), of_barrier);
  if (has(Word::clear)) move(of_barrier, constant(0, 4));
}

/// WARPSYNC
void MachineCodeLowering::lower_lane_sync() {
  use_condition();
  const Operand* const from = find(OperandKind::reg);
  const Operand& last = i_->operands.empty() ? i_->guard : i_->operands.back();
  const Slot mask = from != nullptr                     ? word(*from)
                    : last.kind == OperandKind::integer ? constant(static_cast<std::uint64_t>(last.value), 4)
                                                        : constant(0xffffffff, 4);
  Op& op = emit(handlers::sync_lanes);
  op.a = mask;
  op.immediate = has(Word::exclusive) ? 1 : 0;
}

void MachineCodeLowering::lower_sleep() {
  use_condition();
  emit(handlers::sleep);
}

/// BPT
void MachineCodeLowering::lower_trap() { emit(handlers::trap); }

/// UCGABAR_ARV and UCGABAR_WAIT. A MEMBAR before the arrival releases what was written.
void MachineCodeLowering::lower_cluster_barrier() {
  program_.uses_clusters = true;
  emit(i_->opcode == Opcode::ucgabar_arv ? handlers::cluster_arrive : handlers::cluster_wait).immediate = 1;
}

/// B2R.RESULT
void MachineCodeLowering::lower_barrier_result() {
  const Operand& d = operand(0);
  const Operand& p = operand(1);
  if (d.reg != sass::zero_register) {
    Op& op = emit(handlers::move);
    op.d = destination(d);
    op.a = Slot::at(SlotSpace::frame, barrier_result_offset_);
    op.bytes = 4;
  }
  if (predicate_out(p) < 0) return;
  Op& op = emit(handlers::predicate_logic);
  op.immediate = 0b0010;
  op.p_in = static_cast<std::int32_t>(barrier_predicate_offset_);
  op.p_out = predicate_out(p);
}

/// NOP. ptxas writes one for a __syncwarp() that lanes reach together.
void MachineCodeLowering::lower_converged_sync() { emit(handlers::sync_converged); }

/// Instructions that only advise the scheduler, such as YIELD.
void MachineCodeLowering::lower_hint() {
  use_condition();
  emit(handlers::no_operation);
}

/// Instructions on caches, errors and dependent launches, which the simulated GPU does not have.
void MachineCodeLowering::lower_no_operation() { emit(handlers::no_operation); }

}  // namespace warpwalk::gpu

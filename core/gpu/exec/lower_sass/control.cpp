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
  op.table_index = static_cast<std::uint32_t>(program_.exchanges.size());
  program_.exchanges.push_back(barrier);
}

void MachineCodeLowering::lower_control() {
  // The condition besides the guard, which most of these instructions have.
  const Operand* condition = nullptr;
  if (!i_->operands.empty() && operand(0).kind == OperandKind::predicate && !operand(0).written &&
      i_->opcode != Opcode::bar && i_->opcode != Opcode::b2r)
    condition = &operand(0);
  if (condition == nullptr && !i_->operands.empty() && operand(0).kind == OperandKind::uniform_predicate)
    condition = &operand(0);
  if (condition != nullptr) combine_guard(*condition);
  // BRA.U has a uniform predicate after the usual one.
  if (condition != nullptr && i_->operands.size() > 1 && operand(1).kind == OperandKind::uniform_predicate)
    combine_guard(operand(1));
  const Operand& last = i_->operands.empty() ? i_->guard : i_->operands.back();
  const auto find = [&](OperandKind kind) -> const Operand* {
    for (const Operand& o : i_->operands)
      if (o.kind == kind) return &o;
    return nullptr;
  };
  const Operand* const target = find(OperandKind::target);
  const Operand* const from = find(OperandKind::reg);
  switch (i_->opcode) {
    case Opcode::bra: {
      if (has(Word::any)) {
        Op& any = emit(handlers::branch_if_any);
        any.backward = static_cast<std::uint64_t>(target->value) <= i_->address;
        targets_.push_back(
            {static_cast<std::uint32_t>(program_.ops.size() - 1), static_cast<std::uint64_t>(target->value)});
        return;
      }
      const Operand* const mask = find(OperandKind::uniform_reg);
      Slot named = constant(0xffffffff, 4);
      if (mask != nullptr) named = mask->invert ? compute(machine::complement(), word(*mask)) : word(*mask);
      const bool divergent = has(Word::div) || has(Word::conv);
      Op& op = emit(divergent ? handlers::branch_if_divergent : handlers::branch);
      op.a = named;
      op.immediate = has(Word::conv) ? 1 : 0;
      op.backward = static_cast<std::uint64_t>(target->value) <= i_->address;
      targets_.push_back(
          {static_cast<std::uint32_t>(program_.ops.size() - 1), static_cast<std::uint64_t>(target->value)});
      return;
    }
    case Opcode::brx: {
      const Slot base = wide(*from);
      Op& op = emit(handlers::jump);
      op.a = base;
      op.immediate = i_->address + sass::instruction_bytes + static_cast<std::uint64_t>(last.value);
      return;
    }
    case Opcode::call:
    case Opcode::ret: return lower_call();
    case Opcode::exit: emit(handlers::exit_converging); return;
    case Opcode::bssy: emit(handlers::set_convergence).d = convergence_register(*find(OperandKind::barrier)); return;
    case Opcode::bsync: emit(handlers::converge).a = convergence_register(*find(OperandKind::barrier)); return;
    case Opcode::break_:
      emit(handlers::leave_convergence).a = convergence_register(*find(OperandKind::barrier));
      return;
    case Opcode::bmov: {
      const bool saves = operand(0).kind == OperandKind::reg;
      const Slot of_barrier = convergence_register(*find(OperandKind::barrier));
      const auto move = [&](Slot d, Slot a) {
        Op& op = emit(handlers::move);
        op.d = d;
        op.a = a;
        op.bytes = 4;
      };
      if (!saves) return move(of_barrier, word(*from));
      move(destination(*from), of_barrier);
      if (has(Word::clear)) move(of_barrier, constant(0, 4));
      return;
    }
    case Opcode::warpsync: {
      const Slot mask = from != nullptr                     ? word(*from)
                        : last.kind == OperandKind::integer ? constant(static_cast<std::uint64_t>(last.value), 4)
                                                            : constant(0xffffffff, 4);
      Op& op = emit(handlers::sync_lanes);
      op.a = mask;
      op.immediate = has(Word::exclusive) ? 1 : 0;
      return;
    }
    case Opcode::nanosleep: emit(handlers::sleep); return;
    case Opcode::bpt: emit(handlers::trap); return;
    case Opcode::bar: return lower_barrier();
    case Opcode::ucgabar_arv:
    case Opcode::ucgabar_wait: {
      // A MEMBAR before the arrival releases what was written.
      program_.uses_clusters = true;
      emit(i_->opcode == Opcode::ucgabar_arv ? handlers::cluster_arrive : handlers::cluster_wait).immediate = 1;
      return;
    }
    case Opcode::b2r: {
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
      return;
    }
    // ptxas writes a NOP for a __syncwarp() that lanes reach together.
    case Opcode::nop: emit(handlers::sync_converged); return;
    default: emit(handlers::no_operation); return;  // YIELD, ENDCOLLECTIVE
  }
}

}  // namespace warpwalk::gpu

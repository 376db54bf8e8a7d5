#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

using sass::Operand;

namespace {

/// The same handler for all lanes, for instructions of the uniform datapath.
Handler for_all_lanes(Handler handler) {
  if (handler == handlers::alu) return handlers::on_all_lanes<handlers::alu>;
  if (handler == handlers::alu_predicates) return handlers::on_all_lanes<handlers::alu_predicates>;
  if (handler == handlers::alu_carries) return handlers::on_all_lanes<handlers::alu_carries>;
  if (handler == handlers::move) return handlers::on_all_lanes<handlers::move>;
  if (handler == handlers::predicate_logic) return handlers::on_all_lanes<handlers::predicate_logic>;
  if (handler == handlers::predicate_table) return handlers::on_all_lanes<handlers::predicate_table>;
  if (handler == handlers::pack_predicates) return handlers::on_all_lanes<handlers::pack_predicates>;
  return handler;
}

}  // namespace

void MachineCodeLowering::refuse(std::string why) const { throw MachineCodeRefusal{std::move(why)}; }

Op& MachineCodeLowering::emit_plain(Handler handler) {
  Op& op = program_.ops.emplace_back();
  op.run = uniform_ ? for_all_lanes(handler) : handler;
  op.block = static_cast<std::uint32_t>(program_.blocks.size() - 1);
  op.instruction = static_cast<std::uint32_t>(index_);
  return op;
}

Op& MachineCodeLowering::emit(Handler handler) {
  Op& op = emit_plain(handler);
  op.guard = guard_.offset;
  op.guard_negated = guard_.negated;
  return op;
}

Op& MachineCodeLowering::emit_alu(const Alu& alu, Slot d, Slot a, Slot b, Slot c, Slot e) {
  Op& op = emit(alu.writes_predicate || alu.reads_predicate ? handlers::alu_predicates : handlers::alu);
  op.alu = alu.run;
  op.immediate = alu.immediate;
  op.bytes = static_cast<std::uint8_t>(alu.d_bytes);
  op.d = d;
  op.a = a;
  op.b = b;
  op.c = c;
  op.e = e;
  return op;
}

Slot MachineCodeLowering::compute(const Alu& alu, Slot a, Slot b, Slot c) {
  const Slot d = scratch();
  Op& op = emit_alu(alu, d, a, b, c);
  op.guard = -1;
  return d;
}

void MachineCodeLowering::set_predicate_in(Op& op, const Operand& o) {
  const PredicateSource from = predicate_in(o);
  op.p_in = from.offset;
  op.p_in_negated = from.negated;
}

void MachineCodeLowering::split_pair(const Operand& o, Slot value) {
  if (o.reg == (o.kind == sass::OperandKind::reg ? sass::zero_register : sass::zero_uniform_register)) return;
  emit_alu(machine::low_word(), part(o, 0), value);
  emit_alu(machine::high_word(), part(o, 1), value);
}

Alu MachineCodeLowering::like_ptx(const ptx::Instruction& instruction) const {
  auto found = find_alu(widths_, instruction);
  if (!found) refuse("is not supported (" + found.error() + ")");
  return *found;
}

std::uint32_t MachineCodeLowering::add_predicates(const std::vector<PredicateSource>& sources) {
  auto& all = program_.machine_code->predicates;
  const auto first = static_cast<std::uint32_t>(all.size());
  all.insert(all.end(), sources.begin(), sources.end());
  return first;
}

/// Sets the guard of the current instruction. If the instruction writes the guard's predicate, its operations read a
/// copy.
void MachineCodeLowering::use_guard() {
  guard_ = {};
  const Operand& guard = i_->guard;
  if (is_true(guard)) return;
  guard_ = predicate_in(guard);
  bool written = false;
  for (const Operand& o : i_->operands) written = written || (o.written && o.kind == guard.kind && o.reg == guard.reg);
  if (!written) return;
  Op& op = emit_plain(handlers::predicate_logic);
  op.immediate = 0b0010;  // the first source
  op.p_in = guard_.offset;
  op.p_out = scratch_predicate();
  guard_.offset = op.p_out;
}

/// Restricts the guard to the lanes where `condition` holds.
void MachineCodeLowering::combine_guard(const Operand& condition) {
  if (is_true(condition)) return;
  const PredicateSource with = predicate_in(condition);
  if (guard_.offset < 0) {
    guard_ = with;
    return;
  }
  Op& op = emit_plain(handlers::predicate_logic);
  // The truth table has one bit: the combination in which both guards hold.
  op.immediate = 1U << ((guard_.negated ? 0 : 1) + (with.negated ? 0 : 2));
  op.p_in = guard_.offset;
  op.q_out = with.offset;
  op.p_out = scratch_predicate();
  guard_ = {op.p_out, false};
}

}  // namespace warpwalk::gpu

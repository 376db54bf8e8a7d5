#include <fmt/format.h>

#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

void FunctionLowering::lower_alu(const ptx::Instruction& i) {
  auto found = find_alu(source_, i);
  if (!found) refuse(i, found.error());
  const Alu& alu = *found;
  const bool plain = !alu.writes_predicate && !alu.reads_predicate && !alu.reads_carry && !alu.writes_carry;
  // selp d, a, b, 1: the predicate is always the last operand.
  const Operand& last = operand(i, i.operands.size() - 1);
  const bool constant = alu.reads_predicate && last.kind == OperandKind::immediate;
  const std::int32_t fixed = constant ? constant_predicate(last.bits != 0, i) : -1;
  // PTX before 2.0 reads special registers as 16-bit values: cvt.u32.u16 %r1, %tid.x.
  const bool halves = i.opcode == Opcode::cvt && alu.a_bytes == 2 && operand(i, 1).kind == OperandKind::special;
  const Slot half = Slot::at(SlotSpace::frame, program_.functions[index_].scratch);
  if (halves) lower_half(operand(i, 1), half, i);
  Op& op = emit(plain ? handlers::alu : handlers::alu_predicates, i);
  op.alu = alu.run;
  op.immediate = alu.immediate;
  op.bytes = static_cast<std::uint8_t>(alu.d_bytes);
  op.table_index = (alu.writes_carry ? handlers::carry_written : 0) | (alu.reads_carry ? handlers::carry_read : 0);
  op.p_in = fixed;
  const auto result = [&](const Operand& o) {
    if (o.kind == OperandKind::discard) return;
    if (!is_predicate(o)) {
      op.d = destination(o, i);
    } else if (op.p_out < 0) {
      op.p_out = predicate(o, i);
    } else {
      op.q_out = predicate(o, i);
    }
  };
  const Operand& first = operand(i, 0);
  if (first.kind == OperandKind::pair) {
    // p|q: a discarded result still takes its position.
    if (is_predicate(first.elements[0]) || first.elements[0].kind == OperandKind::discard) {
      op.p_out = predicate(first.elements[0], i);
      op.q_out = predicate(first.elements[1], i);
    } else {
      result(first.elements[0]);
      result(first.elements[1]);
    }
  } else {
    result(first);
  }
  Slot* const slots[4] = {&op.a, &op.b, &op.c, &op.e};
  const int bytes[4] = {alu.a_bytes, alu.b_bytes, alu.c_bytes, alu.e_bytes};
  int next = 0;
  for (std::size_t k = 1; k < i.operands.size() - (constant ? 1 : 0); ++k) {
    const Operand& o = i.operands[k];
    if (is_predicate(o)) {
      op.p_in = predicate(o, i);
      op.p_in_negated = o.negated;
    } else if (next < 4 && bytes[next] != 0) {
      *slots[next] = halves ? half : source(o, bytes[next], i.type(i.types.size() > 1 ? 1 : 0), i);
      ++next;
    }
  }
  if (alu.reads_predicate && op.p_in < 0) {
    refuse(i, "needs a predicate register or a number as its last operand");
  }
}

/// d = a * b + c, rounded once. For a subtraction, one of the operands is negated first.
void FunctionLowering::lower_fused(const ptx::Instruction& sum, const ptx::Instruction& product) {
  const bool first = sum.operands[1].kind == OperandKind::reg && sum.operands[1].index == product.operands[0].index;
  ptx::Instruction fused = sum;
  fused.opcode = Opcode::fma;
  fused.rounding = ptx::Rounding::rn;
  fused.operands = {sum.operands[0], product.operands[1], product.operands[2], sum.operands[first ? 2 : 1]};
  const auto found = find_alu(source_, fused);
  if (!found) return lower_alu(sum);
  const Alu& alu = *found;
  Slot slots[3];
  for (std::size_t k = 0; k < 3; ++k) slots[k] = source(fused.operands[k + 1], alu.a_bytes, sum.type(), sum);
  if (sum.opcode == Opcode::sub) {
    ptx::Instruction negation = sum;
    negation.opcode = Opcode::neg;
    negation.modifiers.reset();
    negation.operands.resize(2);
    const std::size_t which = first ? 2 : 0;
    Op& op = emit(handlers::alu, sum);
    const Alu negated = *find_alu(source_, negation);
    op.alu = negated.run;
    op.immediate = negated.immediate;
    op.bytes = static_cast<std::uint8_t>(alu.a_bytes);
    op.a = slots[which];
    op.d = slots[which] = Slot::at(SlotSpace::frame, program_.functions[index_].scratch);
  }
  Op& op = emit(handlers::alu, sum);
  op.alu = alu.run;
  op.immediate = alu.immediate;
  op.bytes = static_cast<std::uint8_t>(alu.d_bytes);
  op.d = destination(sum.operands[0], sum);
  op.a = slots[0];
  op.b = slots[1];
  op.c = slots[2];
}

void FunctionLowering::lower_predicates(const ptx::Instruction& i) {
  // p_out is a table lookup; each of up to two predicates is one bit of the index. Constants and `!` are folded into
  // the table.
  Op& op = emit(handlers::predicate_logic, i);
  op.p_out = predicate(operand(i, 0), i);
  bool value[2] = {}, fixed[2] = {true, true}, negated[2] = {};
  std::int32_t* const places[2] = {&op.p_in, &op.q_out};
  for (std::size_t k = 1; k < i.operands.size() && k < 3; ++k) {
    const Operand& o = i.operands[k];
    if (o.kind == OperandKind::immediate) {
      value[k - 1] = o.bits != 0;
    } else {
      *places[k - 1] = predicate(o, i);
      fixed[k - 1] = false;
      negated[k - 1] = o.negated;
    }
  }
  for (unsigned index = 0; index < 4; ++index) {
    const bool a = fixed[0] ? value[0] : ((index & 1) != 0) != negated[0];
    const bool b = fixed[1] ? value[1] : ((index & 2) != 0) != negated[1];
    bool result = a;
    if (i.opcode == Opcode::not_) result = !a;
    if (i.opcode == Opcode::and_) result = a && b;
    if (i.opcode == Opcode::or_) result = a || b;
    if (i.opcode == Opcode::xor_) result = a != b;
    if (result) op.immediate |= std::uint64_t{1} << index;
  }
}

void FunctionLowering::lower_pack(const ptx::Instruction& i) {
  const Operand& to = operand(i, 0);
  const Operand& from = operand(i, 1);
  const bool packs = from.kind == OperandKind::vector;
  const Operand& parts = packs ? from : to;
  const Operand& whole = packs ? to : from;
  const auto count = parts.elements.size();
  const int total = ptx::bytes_of(i.type());
  if (count < 2 || count > 4) refuse(i, "supports only vectors of 2 or 4 elements");
  const int each = total / static_cast<int>(count);
  if (each < 2) refuse(i, "with 8-bit elements is not supported by the simulated GPU");
  Op& op = emit(packs ? handlers::pack : handlers::unpack, i);
  op.table_index = static_cast<std::uint32_t>(count);
  op.bytes = static_cast<std::uint8_t>(each);
  op.d = packs ? destination(whole, i) : source(whole, total, i.type(), i);
  Slot* const slots[4] = {&op.a, &op.b, &op.c, &op.e};
  for (std::size_t k = 0; k < count; ++k) {
    const Operand& part = parts.elements[k];
    if (!packs && part.kind == OperandKind::discard) {
      op.immediate |= std::uint64_t{1} << k;
      continue;
    }
    *slots[k] = packs ? source(part, each, i.type(), i) : destination(part, i);
  }
}

/// d = the lower half of a special register.
void FunctionLowering::lower_half(const Operand& special_register, Slot d, const ptx::Instruction& i) {
  const Slot whole = special(special_register.special, i);
  Op& op = emit(handlers::unpack, i);
  op.table_index = 2;
  op.bytes = 2;
  op.d = whole;
  op.a = d;
  op.immediate = 0b10;  // without the upper half
}

void FunctionLowering::lower_move(const ptx::Instruction& i) {
  const Operand& to = operand(i, 0);
  const Operand& from = operand(i, 1);
  if (from.kind == OperandKind::special && from.special == ptx::Special::is_explicit_cluster) {
    emit(handlers::explicit_cluster, i).p_out = predicate(to, i);
    return;
  }
  if (i.type() == ptx::Type::pred) return lower_predicates(i);
  if (to.kind == OperandKind::vector || from.kind == OperandKind::vector) return lower_pack(i);
  const int bytes = register_bytes(to, i);
  if (from.kind == OperandKind::special) {
    switch (from.special) {
      case ptx::Special::clock:
      case ptx::Special::clock_hi:
      case ptx::Special::clock64:
      case ptx::Special::globaltimer:
      case ptx::Special::globaltimer_lo:
      case ptx::Special::globaltimer_hi: {
        Op& op = emit(handlers::read_clock, i);
        op.d = destination(to, i);
        op.bytes = static_cast<std::uint8_t>(bytes);
        op.immediate = static_cast<std::uint64_t>(from.special);
        return;
      }
      default: break;
    }
    if (bytes == 2) return lower_half(from, destination(to, i), i);
  }
  bool on_stack = false;
  if (from.kind == OperandKind::local_variable || from.kind == OperandKind::parameter) {
    const std::uint64_t address = address_of(from, on_stack, i);
    if (on_stack) {
      Op& op = emit(handlers::local_address, i);
      op.d = destination(to, i);
      op.bytes = static_cast<std::uint8_t>(bytes);
      op.immediate = address;
      return;
    }
  }
  if (names_shared_variable(from)) {
    Op& op = emit(handlers::shared_address, i);
    op.d = destination(to, i);
    op.immediate = address_of(from, on_stack, i);
    op.bytes = static_cast<std::uint8_t>(bytes);
    return;
  }
  Op& op = emit(handlers::move, i);
  op.d = destination(to, i);
  op.a = source(from, bytes, i.type(), i);
  op.bytes = static_cast<std::uint8_t>(bytes);
}

void FunctionLowering::lower_address(const ptx::Instruction& i) {
  if (i.opcode == Opcode::isspacep) {
    Op& op = emit(handlers::is_space, i);
    op.p_out = predicate(operand(i, 0), i);
    op.a = source(operand(i, 1), 8, ptx::Type::u64, i);
    op.immediate = static_cast<std::uint64_t>(i.space);
    op.table_index = i.has(ptx::Modifier::shared_cluster) ? 1 : 0;
    return;
  }
  // cvta: only shared and local addresses differ from generic addresses.
  const Operand& from = operand(i, 1);
  const int bytes = register_bytes(operand(i, 0), i);
  std::uint64_t base = 0;
  if (i.space == ptx::Space::shared) base = shared_window;
  if (i.space == ptx::Space::local) base = local_window;
  if (i.has(ptx::Modifier::to)) base = 0 - base;
  bool on_stack = false;
  if (from.kind == OperandKind::local_variable || from.kind == OperandKind::parameter) {
    const std::uint64_t address = address_of(from, on_stack, i);
    if (on_stack) {
      Op& op = emit(handlers::local_address, i);
      op.d = destination(operand(i, 0), i);
      op.bytes = static_cast<std::uint8_t>(bytes);
      op.immediate = address + base;
      return;
    }
  }
  if (names_shared_variable(from)) {
    Op& op = emit(handlers::shared_address, i);
    op.d = destination(operand(i, 0), i);
    op.immediate = address_of(from, on_stack, i) + base;
    op.bytes = static_cast<std::uint8_t>(bytes);
    return;
  }
  Op& op = emit(base == 0 ? handlers::move : handlers::generic_from, i);
  op.d = destination(operand(i, 0), i);
  op.a = source(from, bytes, i.type(), i);
  op.bytes = static_cast<std::uint8_t>(bytes);
  op.immediate = base;
}

}  // namespace warpwalk::gpu

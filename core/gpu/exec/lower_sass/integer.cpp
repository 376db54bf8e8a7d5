#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/ptx_words.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

using machine::IntegerForm;
using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

bool is_value(const Operand& o) { return o.kind != OperandKind::predicate && o.kind != OperandKind::uniform_predicate; }

/// The values among the sources of an instruction, then its predicates.
struct Sources {
  std::vector<const Operand*> values, predicates;

  explicit Sources(const std::vector<const Operand*>& all) {
    for (const Operand* const o : all) (is_value(*o) ? values : predicates).push_back(o);
  }
};

/// Negations and complements of the first three values, which the handlers apply.
IntegerForm form_of(const std::vector<const Operand*>& values) {
  IntegerForm form;
  for (unsigned i = 0; i < values.size() && i < 3; ++i) {
    if (values[i]->negate) form.negated |= 1U << i;
    if (values[i]->invert) form.inverted |= 1U << i;
  }
  return form;
}

unsigned compare_number(Word word) {
  switch (word) {
    case Word::lt: return 1;
    case Word::eq: return 2;
    case Word::le: return 3;
    case Word::gt: return 4;
    case Word::ne: return 5;
    case Word::ge: return 6;
    case Word::t: return 7;
    default: return 0;
  }
}

}  // namespace

/// Emits a sum whose carries go to the predicate destinations and come from the predicate sources.
void MachineCodeLowering::emit_carries(const Alu& alu, const Operand& d, Slot a, Slot b, Slot c) {
  const Sources from(sources());
  const auto to = destinations();
  const PredicateSource never{static_cast<std::int32_t>(never_offset_), false};
  const bool pair = alu.d_bytes == 8;
  const Slot result = pair ? scratch() : destination(d);
  const PredicateSource first = from.predicates.empty() ? never : predicate_in(*from.predicates[0]);
  const PredicateSource second = from.predicates.size() < 2 ? never : predicate_in(*from.predicates[1]);
  Op& op = emit_alu(alu, result, a, b, c);
  op.run = uniform_ ? Handler(handlers::on_all_lanes<handlers::alu_carries>) : Handler(handlers::alu_carries);
  op.p_in = first.offset;
  op.p_in_negated = first.negated;
  op.table_index = add_predicates({second});
  if (to.size() > 1) op.p_out = predicate_out(*to[1]);
  if (to.size() > 2) op.q_out = predicate_out(*to[2]);
  if (pair) split_pair(d, result);
}

void MachineCodeLowering::lower_sum() {
  if (i_->opcode == Opcode::iadd && has(Word::n64)) return lower_wide_sum();
  const Sources from(sources());
  const auto to = destinations();
  const IntegerForm form = form_of(from.values);
  bool carries = has(Word::x);
  for (std::size_t i = 1; i < to.size(); ++i) carries = carries || predicate_out(*to[i]) >= 0;
  if (has(Word::n64)) {
    if (carries) refuse("with .64 and carries is not supported");
    const Slot result = scratch();
    emit_alu(machine::add3_wide(form), result, wide(*from.values[0]), wide(*from.values[1]), wide(*from.values[2]));
    return split_pair(*to[0], result);
  }
  const Slot a = word(*from.values[0]), b = word(*from.values[1]);
  const Slot c = from.values.size() > 2 ? word(*from.values[2]) : constant(0, 4);
  if (carries) return emit_carries(machine::add3_carries(form), *to[0], a, b, c);
  emit_alu(machine::add3(form), destination(*to[0]), a, b, c);
}

void MachineCodeLowering::lower_product() {
  const Sources from(sources());
  const auto to = destinations();
  IntegerForm form = form_of(from.values);
  form.is_signed = i_->word(Field::type) != Word::u32;
  if (has(Word::mov)) {
    // The other factor is zero, or the product is by one: the result is the sum of what remains, as for any IMAD.
    form.is_signed = false;
  }
  const bool is_wide = has(Word::wide), high = has(Word::hi);
  bool carries = has(Word::x);
  for (std::size_t i = 1; i < to.size(); ++i) carries = carries || predicate_out(*to[i]) >= 0;
  const Slot a = word(*from.values[0]), b = word(*from.values[1]);
  const Slot c = is_wide || high ? wide(*from.values[2]) : word(*from.values[2]);
  if (carries) {
    const Alu alu = is_wide ? machine::multiply_add_wide_carries(form)
                    : high  ? machine::multiply_add_high_carries(form)
                            : machine::multiply_add_carries(form);
    return emit_carries(alu, *to[0], a, b, c);
  }
  if (is_wide) {
    const Slot result = scratch();
    emit_alu(machine::multiply_add_wide(form), result, a, b, c);
    return split_pair(*to[0], result);
  }
  emit_alu(high ? machine::multiply_add_high(form) : machine::multiply_add(form), destination(*to[0]), a, b, c);
}

void MachineCodeLowering::lower_shift_add() {
  Sources from(sources());
  const auto to = destinations();
  IntegerForm form = form_of(from.values);
  form.high = has(Word::hi);
  form.shift = static_cast<unsigned>(from.values.back()->value);
  const Slot a = word(*from.values[0]), b = word(*from.values[1]);
  Slot c = constant(0, 4);
  if (has(Word::sx32)) {
    c = compute(machine::funnel_shift({.is_signed = true, .high = true}), a, constant(31, 4), a);
  } else if (form.high) {
    c = word(*from.values[2]);
    form.negated &= 3;
    form.inverted &= 3;
  }
  if (has(Word::x) || predicate_out(*to[1]) >= 0)
    return emit_carries(machine::shift_add_carries(form), *to[0], a, b, c);
  emit_alu(machine::shift_add(form), destination(*to[0]), a, b, c);
}

void MachineCodeLowering::lower_funnel_shift() {
  IntegerForm form;
  const Word type = i_->word(Field::type);
  form.left = i_->word(Field::direction) == Word::l;
  form.wrap = has(Word::w);
  form.high = has(Word::hi);
  form.is_signed = type == Word::s32 || type == Word::s64;
  form.wide = type == Word::s64 || type == Word::u64;
  const auto from = sources();
  emit_alu(machine::funnel_shift(form), destination(operand(0)), word(*from[0]), word(*from[1]), word(*from[2]));
}

void MachineCodeLowering::lower_logic() {
  const Sources from(sources());
  const Operand *result = nullptr, *predicate = nullptr;
  for (const Operand* const o : destinations()) (is_value(*o) ? result : predicate) = o;
  ptx::Instruction like = ptx_instruction(ptx::Opcode::lop3);
  like.types = {ptx::Type::b32};
  like.operands.resize(5);
  like.operands[4].kind = ptx::OperandKind::immediate;
  like.operands[4].bits = static_cast<std::uint64_t>(from.values[3]->value);
  const bool writes = predicate != nullptr && predicate_out(*predicate) >= 0;
  if (writes) like.action = has(Word::pand) ? ptx::Action::and_ : ptx::Action::or_;
  const Alu alu = like_ptx(like);
  const Slot a = word(*from.values[0]), b = word(*from.values[1]), c = word(*from.values[2]);
  if (carrying_.contains(index_)) {
    Op& carry = emit(handlers::carry_unwritten);
    carry.a = a;
    carry.b = b;
    carry.c = c;
    carry.d = destination(*result);
    carry.bytes = 4;
    carry.immediate = like.operands[4].bits;
  }
  Op& op = emit_alu(alu, destination(*result), a, b, c);
  if (!writes) return;
  op.p_out = predicate_out(*predicate);
  set_predicate_in(op, *from.predicates[0]);
}

void MachineCodeLowering::lower_integer_compare() {
  if (is_wide_integer()) return lower_wide_compare();
  const Sources from(sources());
  const auto to = destinations();
  const Word combine = i_->word(Field::combine);
  const unsigned number = combine == Word::or_ ? 1 : combine == Word::xor_ ? 2 : 0;
  const bool is_signed = i_->word(Field::type) != Word::u32;
  const unsigned compare = compare_number(i_->word(Field::compare));
  const Slot a = word(*from.values[0]), b = word(*from.values[1]);
  if (has(Word::ex) || compare == 0 || compare == 7) {
    const PredicateSource with = predicate_in(*from.predicates[0]);
    const PredicateSource lower = has(Word::ex) ? predicate_in(*from.predicates[1]) : with;
    const Alu alu = machine::compare_extended(compare, number, is_signed, has(Word::ex));
    Op& op = emit_alu(alu, {}, a, b);
    op.run = uniform_ ? Handler(handlers::on_all_lanes<handlers::alu_carries>) : Handler(handlers::alu_carries);
    op.bytes = 0;
    op.p_in = with.offset;
    op.p_in_negated = with.negated;
    op.table_index = add_predicates({lower});
    op.p_out = predicate_out(*to[0]);
    op.q_out = predicate_out(*to[1]);
    return;
  }
  static constexpr ptx::Compare compares[] = {ptx::Compare::none, ptx::Compare::lt, ptx::Compare::eq, ptx::Compare::le,
                                              ptx::Compare::gt,   ptx::Compare::ne, ptx::Compare::ge};
  ptx::Instruction like = ptx_instruction(ptx::Opcode::setp);
  like.compare = compares[compare];
  like.action = number == 0 ? ptx::Action::and_ : number == 1 ? ptx::Action::or_ : ptx::Action::xor_;
  like.types = {is_signed ? ptx::Type::s32 : ptx::Type::u32};
  Op& op = emit_alu(like_ptx(like), {}, a, b);
  op.p_out = predicate_out(*to[0]);
  op.q_out = predicate_out(*to[1]);
  set_predicate_in(op, *from.predicates[0]);
}

/// A sum of 16-bit halves, each modulo 2^16.
Slot MachineCodeLowering::halves_sum(Slot a, Slot b, bool negated) {
  ptx::Instruction like = ptx_instruction(ptx::Opcode::add);
  like.types = {ptx::Type::u16x2};
  const Alu add = like_ptx(like);
  if (negated) b = compute(add, compute(machine::complement(), b), constant(0x00010001, 4));
  return compute(add, a, b);
}

/// VIMNMX, VIMNMX3, IMNMX and VIADDMNMX: a predicate chooses the minimum or the maximum.
void MachineCodeLowering::lower_integer_extreme() {
  const Sources from(sources());
  for (const Operand* const o : destinations())
    if (!is_value(*o) && predicate_out(*o) >= 0) refuse("with a predicate result is not supported");
  if (from.predicates.size() > 1 && !is_false(*from.predicates[1])) refuse("of extended values is not supported");
  if (is_wide_integer()) return lower_wide_extreme();
  const Word type = i_->word(Field::type);
  const bool bytes = type == Word::u8x4 || type == Word::s8x4;
  const bool packed = bytes || type == Word::u16x2 || type == Word::s16x2;
  const Operand& choice = *from.predicates[0];
  std::vector<Slot> of;
  for (const Operand* const value : from.values) of.push_back(word(*value));
  if (i_->opcode == Opcode::viaddmnmx) {
    // The negation of the second summand is applied by the sum.
    const Slot sum = packed ? halves_sum(of[0], of[1], from.values[1]->negate)
                            : compute(machine::add3(form_of({from.values[0], from.values[1]})), of[0], of[1],
                                      constant(0, 4));
    of = {sum, of[2]};
  }
  const auto extreme = [&](bool least, bool relu) {
    if (bytes) {
      if (relu) refuse("of bytes with .RELU is not supported");
      return byte_arithmetic(least ? ptx::Opcode::vmin4 : ptx::Opcode::vmax4, type == Word::s8x4);
    }
    if (!packed) {
      const IntegerForm form{.is_signed = type != Word::u32};
      return least ? machine::minimum(form, relu) : machine::maximum(form, relu);
    }
    ptx::Instruction like = ptx_instruction(least ? ptx::Opcode::min : ptx::Opcode::max);
    set(like, ptx::Modifier::relu, relu);
    like.types = {type == Word::u16x2 ? ptx::Type::u16x2 : ptx::Type::s16x2};
    return like_ptx(like);
  };
  const auto first_two = [&](bool least) {
    return of.size() == 3 ? compute(extreme(least, false), of[0], of[1]) : of[0];
  };
  const bool relu = has(Word::relu);
  const Slot d = destination(*value_destination());
  if (is_true(choice) || is_false(choice)) {
    const Slot first = first_two(is_true(choice));
    emit_alu(extreme(is_true(choice), relu), d, first, of.back());
    return;
  }
  const Slot least = compute(extreme(true, relu), first_two(true), of.back());
  const Slot greatest = compute(extreme(false, relu), first_two(false), of.back());
  Op& op = emit_alu(machine::select(), d, least, greatest);
  set_predicate_in(op, choice);
}

/// An operation on the four bytes of each source. The result of a byte is modulo 2^8.
Alu MachineCodeLowering::byte_arithmetic(ptx::Opcode opcode, bool is_signed) const {
  ptx::Instruction like = ptx_instruction(opcode);
  const ptx::Type type = is_signed ? ptx::Type::s32 : ptx::Type::u32;
  like.types = {type, type, type};
  return like_ptx(like);
}

/// VIADD: like IADD3, or two sums of 16 bits.
void MachineCodeLowering::lower_short_sum() {
  if (has(Word::u8x4) || has(Word::s8x4)) {
    if (has(Word::isat) || operand(1).negate) refuse("of bytes in this form is not supported");
    const Alu alu = byte_arithmetic(operand(2).negate ? ptx::Opcode::vsub4 : ptx::Opcode::vadd4, has(Word::s8x4));
    emit_alu(alu, destination(operand(0)), word(operand(1)), word(operand(2)), constant(0, 4));
    return;
  }
  if (has(Word::isat)) {
    ptx::Instruction like = ptx_instruction(operand(2).negate ? ptx::Opcode::sub : ptx::Opcode::add);
    like.types = {ptx::Type::s32};
    set(like, ptx::Modifier::sat);
    emit_alu(like_ptx(like), destination(operand(0)), word(operand(1)), word(operand(2)));
    return;
  }
  if (i_->word(Field::type) != Word::n16x2) return lower_sum();
  const Slot sum = halves_sum(word(operand(1)), word(operand(2)), operand(2).negate);
  Op& op = emit(handlers::move);
  op.d = destination(operand(0));
  op.a = sum;
  op.bytes = 4;
}

}  // namespace warpwalk::gpu

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/ptx_words.h"
#include "core/gpu/exec/machine/handlers.h"

// 64-bit integers in pairs of registers: the instructions with .64, .S64 and .U64 of compute capability 12.0.
namespace warpwalk::gpu {

using machine::IntegerForm;
using sass::Field;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

bool is_predicate(const Operand& o) {
  return o.kind == OperandKind::predicate || o.kind == OperandKind::uniform_predicate;
}

}  // namespace

/// True if the instruction compares or selects 64-bit integers.
bool MachineCodeLowering::is_wide_integer() const {
  const Word type = i_->word(Field::type);
  return type == Word::s64 || type == Word::u64;
}

/// MOV.64 and UMOV.64
void MachineCodeLowering::lower_wide_move() { split_pair(operand(0), wide(*sources()[0])); }

/// SEL.64 and USEL.64
void MachineCodeLowering::lower_wide_select() {
  const Operand& d = operand(0);
  const auto from = sources();
  if (is_zero(d)) return;
  const Slot a = wide(*from[0]), b = wide(*from[1]);
  for (const unsigned half : {0U, 1U}) {
    const Alu take = half == 0 ? machine::low_word() : machine::high_word();
    const Slot x = compute(take, a), y = compute(take, b);
    set_predicate_in(emit_alu(machine::select(), part(d, half), x, y), *from[2]);
  }
}

/// IADD.64: the carry out is that of the 64-bit sum, and .X adds a carry in. Both halves are sums of 32 bits.
void MachineCodeLowering::lower_wide_sum() {
  const auto to = destinations();
  std::vector<const Operand*> values;
  const Operand* carry_in = nullptr;
  for (const Operand* const o : sources()) (is_predicate(*o) ? void(carry_in = o) : values.push_back(o));
  const std::int32_t carry_out = to.size() > 1 ? predicate_out(*to[1]) : -1;
  IntegerForm form;
  for (unsigned k = 0; k < 2; ++k) {
    if (values[k]->negate) form.negated |= 1U << k;
    if (values[k]->invert) form.inverted |= 1U << k;
  }
  const Slot a = wide(*values[0]), b = wide(*values[1]);
  if (carry_out < 0 && !has(Word::x)) {
    const Slot sum = scratch();
    emit_alu(machine::add3_wide(form), sum, a, b, constant(0, 8));
    return split_pair(*to[0], sum);
  }
  if (form.negated == 3) refuse("with two negations and a carry is not supported");
  const PredicateSource never{static_cast<std::int32_t>(never_offset_), false};
  PredicateSource carry = carry_in == nullptr ? never : predicate_in(*carry_in);
  for (const unsigned half : {0U, 1U}) {
    const Alu take = half == 0 ? machine::low_word() : machine::high_word();
    // -x is ~x + 1: the upper words only have the complement, and the carry of the lower ones.
    if (half == 1) form.inverted |= std::exchange(form.negated, 0U);
    const Slot x = compute(take, a), y = compute(take, b);
    const Slot d = is_zero(*to[0]) ? destination(*to[0]) : part(*to[0], half);
    Op& op = emit_alu(machine::add3_carries(form), d, x, y, constant(0, 4));
    op.run = uniform_ ? Handler(handlers::on_all_lanes<handlers::alu_carries>) : Handler(handlers::alu_carries);
    op.p_in = carry.offset;
    op.p_in_negated = carry.negated;
    op.table_index = add_predicates({never});
    op.p_out = half == 0 ? scratch_predicate() : carry_out;
    carry = {op.p_out, false};
  }
}

/// ISETP and UISETP with .S64 and .U64. False and true do not depend on the sources.
void MachineCodeLowering::lower_wide_compare() {
  static constexpr std::array<std::pair<Word, ptx::Compare>, 6> compares{{{Word::lt, ptx::Compare::lt},
                                                                          {Word::eq, ptx::Compare::eq},
                                                                          {Word::le, ptx::Compare::le},
                                                                          {Word::gt, ptx::Compare::gt},
                                                                          {Word::ne, ptx::Compare::ne},
                                                                          {Word::ge, ptx::Compare::ge}}};
  const auto compare =
      std::ranges::find(compares, i_->word(Field::compare), &std::pair<Word, ptx::Compare>::first);
  if (compare == compares.end()) refuse("with this comparison is not supported");
  ptx::Instruction like = ptx_instruction(ptx::Opcode::setp);
  like.compare = compare->second;
  like.action = combination_of(i_->word(Field::combine));
  like.types = {i_->word(Field::type) == Word::s64 ? ptx::Type::s64 : ptx::Type::u64};
  const auto from = sources();
  const auto to = destinations();
  Op& op = emit_alu(like_ptx(like), {}, wide(*from[0]), wide(*from[1]));
  op.p_out = predicate_out(*to[0]);
  op.q_out = predicate_out(*to[1]);
  set_predicate_in(op, *from[2]);
}

/// IMNMX and UIMNMX with .S64 and .U64: a predicate chooses the minimum or the maximum.
void MachineCodeLowering::lower_wide_extreme() {
  const auto from = sources();
  const Operand& choice = *from[2];
  if (!is_true(choice) && !is_false(choice)) refuse("with a predicate is not supported");
  ptx::Instruction like = ptx_instruction(is_true(choice) ? ptx::Opcode::min : ptx::Opcode::max);
  like.types = {i_->word(Field::type) == Word::s64 ? ptx::Type::s64 : ptx::Type::u64};
  const Slot result = scratch();
  emit_alu(like_ptx(like), result, wide(*from[0]), wide(*from[1]));
  split_pair(*value_destination(), result);
}

}  // namespace warpwalk::gpu

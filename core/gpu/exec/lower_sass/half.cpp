#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/ptx_words.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

/// HADD2.F32: the sum of two halves as an f32. ptxas uses it to convert halves to f32.
void MachineCodeLowering::lower_half_sum_f32() {
  if (has(Word::ftz)) refuse("with .FTZ is not supported");
  const auto from = sources();
  const auto widened = [&](const Operand& o) {
    ptx::Instruction like = ptx_instruction(ptx::Opcode::cvt);
    like.types = {ptx::Type::f32, has(Word::bf16_v2) ? ptx::Type::bf16 : ptx::Type::f16};
    like.operands.resize(2);
    for (ptx::Operand& operand : like.operands) operand.kind = ptx::OperandKind::reg, operand.index = 0;
    return compute(like_ptx(like), halves(o));
  };
  ptx::Instruction like = ptx_instruction(ptx::Opcode::add);
  like.types = {ptx::Type::f32};
  set(like, ptx::Modifier::sat, has(Word::sat));
  const Slot a = widened(*from[0]), b = widened(*from[1]);
  emit_alu(like_ptx(like), destination(operand(0)), a, b);
}

void MachineCodeLowering::lower_half_compare() {
  const bool set_value = i_->opcode == Opcode::hset2;
  const ptx::Type type = i_->word(Field::type) == Word::bf16_v2 ? ptx::Type::bf16x2 : ptx::Type::f16x2;
  ptx::Instruction like = ptx_instruction(set_value ? ptx::Opcode::set : ptx::Opcode::setp);
  like.compare = compare_of(i_->word(Field::compare));
  if (like.compare == ptx::Compare::none) refuse("with this comparison is not supported");
  if (has(Word::h_and)) refuse("with .H_AND is not supported");
  like.action = combination_of(i_->word(Field::combine));
  like.types = {type};
  if (set_value) like.types.insert(like.types.begin(), has(Word::bf) ? type : ptx::Type::u32);
  set(like, ptx::Modifier::ftz, has(Word::ftz));
  const auto from = sources();
  const auto to = destinations();
  const Slot a = halves(*from[0]), b = halves(*from[1]);
  Op& op = emit_alu(like_ptx(like), set_value ? destination(*to[0]) : Slot{}, a, b);
  if (!set_value) {
    op.p_out = predicate_out(*to[0]);
    op.q_out = predicate_out(*to[1]);
  }
  set_predicate_in(op, *from[2]);
}

void MachineCodeLowering::lower_half() {
  if (i_->opcode == Opcode::hadd2 && has(Word::f32)) return lower_half_sum_f32();
  if (has(Word::fmz)) refuse("with .FMZ is not supported");
  const auto from = sources();
  ptx::Instruction like;
  like.types = {has(Word::bf16_v2) ? ptx::Type::bf16x2 : ptx::Type::f16x2};
  set(like, ptx::Modifier::ftz, has(Word::ftz));
  set(like, ptx::Modifier::sat, has(Word::sat));
  set(like, ptx::Modifier::relu, has(Word::relu));
  set(like, ptx::Modifier::oob, has(Word::oob));
  const Slot d = destination(operand(0));
  // .XORSIGN takes the sign of the result from the sources before their absolute values, as in lower_float_select().
  const bool xorsign = has(Word::xorsign);
  if (xorsign && (!from[0]->absolute || !from[1]->absolute || from[0]->negate || from[1]->negate)) refuse();
  const auto source = [&](const Operand& o) {
    Operand plain = o;
    plain.absolute = o.absolute && !xorsign;
    return halves(plain);
  };
  const Slot a = source(*from[0]), b = source(*from[1]);
  if (i_->opcode == Opcode::hmnmx2) {
    const Operand& choice = *from[2];
    if (!is_true(choice) && !is_false(choice)) refuse("with a predicate is not supported");
    like.opcode = is_true(choice) ? ptx::Opcode::min : ptx::Opcode::max;
    set(like, ptx::Modifier::nan, has(Word::nan));
    set(like, ptx::Modifier::xorsign, xorsign);
    set(like, ptx::Modifier::abs, xorsign);
    emit_alu(like_ptx(like), d, a, b);
    return;
  }
  like.opcode = i_->opcode == Opcode::hadd2   ? ptx::Opcode::add
                : i_->opcode == Opcode::hmul2 ? ptx::Opcode::mul
                                              : ptx::Opcode::fma;
  const Slot c = like.opcode == ptx::Opcode::fma ? halves(*from[2]) : Slot{};
  emit_alu(like_ptx(like), d, a, b, c);
}

}  // namespace warpwalk::gpu

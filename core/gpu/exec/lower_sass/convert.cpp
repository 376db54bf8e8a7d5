#include "core/gpu/alu/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/ptx_words.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

bool is_wide(ptx::Type type) { return ptx::bytes_of(type) == 8; }

}  // namespace

/// One value; 64-bit values are in register pairs, narrower ones in the low bits of a register.
void MachineCodeLowering::lower_conversion(ptx::Type to, ptx::Type from, ptx::Rounding rounding) {
  ptx::Instruction like = ptx_instruction(ptx::Opcode::cvt);
  like.rounding = rounding;
  like.types = {to, from};
  set(like, ptx::Modifier::ftz, has(Word::ftz));
  like.operands.resize(2);
  for (ptx::Operand& o : like.operands) o.kind = ptx::OperandKind::reg;
  like.operands[0].index = is_wide(to) ? 1 : 0;
  like.operands[1].index = is_wide(from) ? 1 : 0;
  const Operand& source = operand(1);
  Slot a;
  if (is_wide(from)) {
    a = ptx::is_float(from) ? f64(source) : wide(source);
  } else if (from == ptx::Type::f32) {
    a = f32(source);
  } else if (from == ptx::Type::f16 || from == ptx::Type::bf16) {
    const auto which = source.suffix == Word::h1 ? machine::Halves::high : machine::Halves::both;
    a = compute(machine::modified_halves(which, source.negate, source.absolute), word(source));
  } else {
    a = word(source);
    const unsigned byte = source.suffix == Word::h1   ? 2
                          : source.suffix == Word::b1 ? 1
                          : source.suffix == Word::b2 ? 2
                          : source.suffix == Word::b3 ? 3
                                                      : 0;
    if (byte != 0) a = compute(machine::select_byte(byte), a);
  }
  const Alu alu = like_ptx(like);
  if (!is_wide(to)) {
    emit_alu(alu, destination(operand(0)), a);
    return;
  }
  const Slot result = scratch();
  emit_alu(alu, result, a);
  split_pair(operand(0), result);
}

/// F2FP: two f32 values rounded to the halves of a register; the first one becomes the upper half.
void MachineCodeLowering::lower_pack_float() {
  ptx::Instruction like = ptx_instruction(ptx::Opcode::cvt);
  like.rounding = rounding_of(i_->word(Field::rounding));
  like.types = {i_->word(Field::type) == Word::bf16 ? ptx::Type::bf16x2 : ptx::Type::f16x2, ptx::Type::f32};
  set(like, ptx::Modifier::relu, has(Word::relu));
  like.operands.resize(3);
  const auto from = sources();
  emit_alu(like_ptx(like), destination(operand(0)), word(*from[0]), word(*from[1]));
}

void MachineCodeLowering::lower_convert() {
  const ptx::Type to = type_of(i_->word(Field::type)), from = type_of(i_->word(Field::source_type));
  const Word rounding = i_->word(Field::rounding);
  switch (i_->opcode) {
    case Opcode::f2fp: return lower_pack_float();
    case Opcode::i2fp: return lower_conversion(ptx::Type::f32, from, rounding_of(rounding));
    case Opcode::i2f: return lower_conversion(to, from, rounding_of(rounding));
    case Opcode::f2i: return lower_conversion(to, from, integral_rounding_of(rounding));
    case Opcode::frnd: return lower_conversion(to, to, integral_rounding_of(rounding));
    default:
      return lower_conversion(to, from,
                              ptx::bytes_of(to) > ptx::bytes_of(from) ? ptx::Rounding::none : rounding_of(rounding));
  }
}

}  // namespace warpwalk::gpu

#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/ptx_words.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::Word;

namespace {

bool is_wide(ptx::Type type) { return ptx::bytes_of(type) == 8; }

/// Two values of a type in one register; Type::none if there is no such type.
ptx::Type pair_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::f16: return ptx::Type::f16x2;
    case ptx::Type::bf16: return ptx::Type::bf16x2;
    case ptx::Type::e4m3: return ptx::Type::e4m3x2;
    case ptx::Type::e5m2: return ptx::Type::e5m2x2;
    default: return ptx::Type::none;
  }
}

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

/// The result of a packing instruction: the 16 bits of `packed` in the lower half, and in the upper half the lower one
/// of the source that it merges into (the upper one if that has .H1).
void MachineCodeLowering::merge_halves(Slot packed, const Operand& into) {
  const Slot d = destination(operand(0));
  const Slot kept = into.suffix == Word::h1 ? compute(machine::select_byte(2), word(into)) : word(into);
  emit_alu(machine::insert_bits(16), d, packed, constant(0xffff, 4), kept);
}

/// F2FP: f32 values rounded to halves or bytes (the first one becomes the upper part), halves to bytes and back, f32 to
/// tf32.
void MachineCodeLowering::lower_pack_float() {
  const auto from = sources();
  const Slot d = destination(operand(0));
  const ptx::Type to = type_of(i_->word(Field::type));
  ptx::Instruction like = ptx_instruction(ptx::Opcode::cvt);
  like.rounding = rounding_of(i_->word(Field::rounding));
  set(like, ptx::Modifier::relu, has(Word::relu));
  set(like, ptx::Modifier::satfinite, has(Word::satfinite));
  like.operands.resize(2);
  for (ptx::Operand& o : like.operands) o.kind = ptx::OperandKind::reg, o.index = 0;
  if (has(Word::unpack_b)) {
    like.types = {pair_of(to), pair_of(type_of(i_->word(Field::source_type)))};
    const Slot bytes = from[0]->suffix == Word::h1 ? compute(machine::select_byte(2), word(*from[0])) : word(*from[0]);
    emit_alu(like_ptx(like), d, compute(machine::low_half(), bytes));
    return;
  }
  if (has(Word::unpack_b_merge_c)) {
    like.types = {pair_of(to), ptx::Type::f16x2};
    merge_halves(compute(machine::from_half(), compute(like_ptx(like), word(*from[0]))), *from[1]);
    return;
  }
  if (has(Word::merge_c)) {
    like.types = {to, ptx::Type::f32};
    merge_halves(compute(like_ptx(like), word(*from[0])), *from[1]);
    return;
  }
  if (has(Word::pack_b)) {
    if (to != ptx::Type::tf32) refuse("to this type is not supported");
    like.types = {to, ptx::Type::f32};
    emit_alu(like_ptx(like), d, word(*from[0]));
    return;
  }
  like.types = {pair_of(to), ptx::Type::f32};
  like.operands.resize(3);
  const bool to_bytes = has(Word::pack_ab_merge_c);
  if (ptx::bytes_of(to) != (to_bytes ? 1 : 2)) refuse("to this type is not supported");
  if (!to_bytes) {
    emit_alu(like_ptx(like), d, word(*from[0]), word(*from[1]));
    return;
  }
  const Slot bytes = compute(like_ptx(like), word(*from[0]), word(*from[1]));
  merge_halves(compute(machine::from_half(), bytes), *from[2]);
}

/// F2IP: two f32 values rounded to bytes; the first one becomes the upper byte.
void MachineCodeLowering::lower_pack_bytes() {
  const auto from = sources();
  if (!has(Word::ntz) || has(Word::relu)) refuse();
  ptx::Instruction like = ptx_instruction(ptx::Opcode::cvt);
  like.rounding = integral_rounding_of(i_->word(Field::rounding));
  like.types = {type_of(i_->word(Field::type)), ptx::Type::f32};
  like.operands.resize(2);
  for (ptx::Operand& o : like.operands) o.kind = ptx::OperandKind::reg, o.index = 0;
  const Alu convert = like_ptx(like);
  const Slot high = compute(convert, word(*from[0])), low = compute(convert, word(*from[1]));
  const Slot byte = compute(machine::extend({}), low, constant(8, 4));
  merge_halves(compute(machine::insert_bits(8), byte, constant(0xff, 4), high), *from[2]);
}

void MachineCodeLowering::lower_convert() {
  const Opcode opcode = i_->opcode;
  const ptx::Type to =
      opcode == Opcode::i2fp || opcode == Opcode::ui2fp ? ptx::Type::f32 : type_of(i_->word(Field::type));
  const ptx::Type from = opcode == Opcode::frnd ? to : type_of(i_->word(Field::source_type));
  const Word rounding = i_->word(Field::rounding);
  if (opcode == Opcode::f2i || opcode == Opcode::uf2i || opcode == Opcode::frnd)
    return lower_conversion(to, from, integral_rounding_of(rounding));
  const bool widens = opcode == Opcode::f2f && ptx::bytes_of(to) > ptx::bytes_of(from);
  lower_conversion(to, from, widens ? ptx::Rounding::none : rounding_of(rounding));
}

}  // namespace warpwalk::gpu

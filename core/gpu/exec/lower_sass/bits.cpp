#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/ptx_words.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::Word;

namespace {

ptx::Action permute_mode(Word word) {
  switch (word) {
    case Word::f4e: return ptx::Action::f4e;
    case Word::b4e: return ptx::Action::b4e;
    case Word::rc8: return ptx::Action::rc8;
    case Word::ecl: return ptx::Action::ecl;
    case Word::ecr: return ptx::Action::ecr;
    case Word::rc16: return ptx::Action::rc16;
    default: return ptx::Action::none;
  }
}

ptx::Type packed_type(Word word) {
  switch (word) {
    case Word::u16: return ptx::Type::u16;
    case Word::s16: return ptx::Type::s16;
    case Word::u8: return ptx::Type::u8;
    case Word::s8: return ptx::Type::s8;
    case Word::u4: return ptx::Type::u4;
    case Word::s4: return ptx::Type::s4;
    case Word::u2: return ptx::Type::u2;
    case Word::s2: return ptx::Type::s2;
    default: return ptx::Type::none;
  }
}

}  // namespace

/// IDP: dp4a and dp2a. The types are those of the first and of the second source.
void MachineCodeLowering::lower_dot() {
  ptx::Instruction like = ptx_instruction(has(Word::n2a) ? ptx::Opcode::dp2a : ptx::Opcode::dp4a);
  for (const sass::Modifier& modifier : i_->modifiers) {
    if (modifier.field != Field::type) continue;
    const bool is_signed = modifier.word == Word::s8 || modifier.word == Word::s16;
    like.types.push_back(is_signed ? ptx::Type::s32 : ptx::Type::u32);
  }
  if (has(Word::n2a)) set(like, i_->word(Field::part) == Word::hi ? ptx::Modifier::hi : ptx::Modifier::lo);
  if (operand(3).negate) refuse();
  emit_alu(like_ptx(like), destination(operand(0)), word(operand(1)), word(operand(2)), word(operand(3)));
}

/// I2I and I2IP: narrowing with saturation.
void MachineCodeLowering::lower_integer_pack() {
  const ptx::Type type = packed_type(i_->word(Field::type));
  if (i_->opcode == Opcode::i2i) {
    ptx::Instruction like = ptx_instruction(ptx::Opcode::cvt);
    like.types = {type, ptx::Type::s32};
    set(like, ptx::Modifier::sat);
    like.operands.resize(2);
    for (ptx::Operand& o : like.operands) o.kind = ptx::OperandKind::reg, o.index = 0;
    emit_alu(like_ptx(like), destination(operand(0)), word(operand(1)));
    return;
  }
  if (!has(Word::sat)) refuse();
  ptx::Instruction like = ptx_instruction(ptx::Opcode::cvt_pack);
  set(like, ptx::Modifier::sat);
  like.types = {type, ptx::Type::s32};
  const bool onto_third = type != ptx::Type::u16 && type != ptx::Type::s16;
  if (onto_third) like.types.push_back(ptx::Type::b32);
  emit_alu(like_ptx(like), destination(operand(0)), word(operand(1)), word(operand(2)),
           onto_third ? word(operand(3)) : constant(0, 4));
}

void MachineCodeLowering::lower_bits() {
  const auto to = destinations();
  const auto from = sources();
  const Slot d = destination(*to[0]);
  ptx::Instruction like;
  like.types = {ptx::Type::b32};
  const bool is_signed = i_->word(Field::type) == Word::s32;
  switch (i_->opcode) {
    case Opcode::prmt:
    case Opcode::uprmt:
      like.opcode = ptx::Opcode::prmt;
      like.action = permute_mode(i_->word(Field::mode));
      emit_alu(like_ptx(like), d, word(*from[0]), word(*from[2]), word(*from[1]));
      return;
    case Opcode::sgxt:
    case Opcode::usgxt:
      emit_alu(machine::extend({.is_signed = is_signed, .wrap = has(Word::w)}), d, word(*from[0]), word(*from[1]));
      return;
    case Opcode::bmsk:
    case Opcode::ubmsk:
      like.opcode = ptx::Opcode::bmsk;
      set(like, has(Word::w) ? ptx::Modifier::wrap : ptx::Modifier::clamp);
      emit_alu(like_ptx(like), d, word(*from[0]), word(*from[1]));
      return;
    case Opcode::popc:
    case Opcode::upopc:
      like.opcode = ptx::Opcode::popc;
      emit_alu(like_ptx(like), d, inverted_word(*from[0]));
      return;
    case Opcode::brev:
    case Opcode::ubrev:
      like.opcode = ptx::Opcode::brev;
      emit_alu(like_ptx(like), d, inverted_word(*from[0]));
      return;
    case Opcode::flo:
    case Opcode::uflo:
      if (to.size() > 1 && predicate_out(*to[1]) >= 0) refuse("with a predicate result is not supported");
      like.opcode = ptx::Opcode::bfind;
      like.types = {is_signed ? ptx::Type::s32 : ptx::Type::u32};
      set(like, ptx::Modifier::shiftamt, has(Word::sh));
      emit_alu(like_ptx(like), d, inverted_word(*from[0]));
      return;
    case Opcode::iabs:
      like.opcode = ptx::Opcode::abs;
      like.types = {ptx::Type::s32};
      emit_alu(like_ptx(like), d, word(*from[0]));
      return;
    case Opcode::vabsdiff:
      if (to.size() > 1 && predicate_out(*to[1]) >= 0) refuse("with a predicate result is not supported");
      like.opcode = ptx::Opcode::sad;
      like.types = {is_signed ? ptx::Type::s32 : ptx::Type::u32};
      emit_alu(like_ptx(like), d, word(*from[0]), word(*from[1]), word(*from[2]));
      return;
    case Opcode::vabsdiff4: {
      // The four differences of bytes, or with .ACC their sum.
      if (to.size() > 1 && predicate_out(*to[1]) >= 0) refuse("with a predicate result is not supported");
      like.opcode = ptx::Opcode::vabsdiff4;
      const ptx::Type type = i_->word(Field::type) == Word::u8 ? ptx::Type::u32 : ptx::Type::s32;
      like.types = {ptx::Type::u32, type, type};
      if (has(Word::acc)) like.action = ptx::Action::add;
      emit_alu(like_ptx(like), d, word(*from[0]), word(*from[1]), word(*from[2]));
      return;
    }
    default: refuse();
  }
}

}  // namespace warpwalk::gpu

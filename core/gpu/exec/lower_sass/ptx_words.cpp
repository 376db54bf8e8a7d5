#include "core/gpu/exec/lower_sass/ptx_words.h"

namespace warpwalk::gpu {

using sass::Word;

ptx::Rounding rounding_of(Word word) {
  switch (word) {
    case Word::rm: return ptx::Rounding::rm;
    case Word::rp: return ptx::Rounding::rp;
    case Word::rz: return ptx::Rounding::rz;
    default: return ptx::Rounding::rn;
  }
}

ptx::Rounding integral_rounding_of(Word word) {
  switch (word) {
    case Word::floor: return ptx::Rounding::rmi;
    case Word::ceil: return ptx::Rounding::rpi;
    case Word::trunc: return ptx::Rounding::rzi;
    default: return ptx::Rounding::rni;
  }
}

ptx::Compare compare_of(Word word) {
  switch (word) {
    case Word::lt: return ptx::Compare::lt;
    case Word::eq: return ptx::Compare::eq;
    case Word::le: return ptx::Compare::le;
    case Word::gt: return ptx::Compare::gt;
    case Word::ne: return ptx::Compare::ne;
    case Word::ge: return ptx::Compare::ge;
    case Word::num: return ptx::Compare::num;
    case Word::nan: return ptx::Compare::nan;
    case Word::ltu: return ptx::Compare::ltu;
    case Word::equ: return ptx::Compare::equ;
    case Word::leu: return ptx::Compare::leu;
    case Word::gtu: return ptx::Compare::gtu;
    case Word::neu: return ptx::Compare::neu;
    case Word::geu: return ptx::Compare::geu;
    default: return ptx::Compare::none;
  }
}

ptx::Action combination_of(Word word) {
  if (word == Word::or_) return ptx::Action::or_;
  return word == Word::xor_ ? ptx::Action::xor_ : ptx::Action::and_;
}

ptx::Type type_of(Word word) {
  switch (word) {
    case Word::u4: return ptx::Type::u4;
    case Word::s4: return ptx::Type::s4;
    case Word::u8: return ptx::Type::u8;
    case Word::s8: return ptx::Type::s8;
    case Word::u16: return ptx::Type::u16;
    case Word::s16: return ptx::Type::s16;
    case Word::u32: return ptx::Type::u32;
    case Word::s32: return ptx::Type::s32;
    case Word::u64: return ptx::Type::u64;
    case Word::s64: return ptx::Type::s64;
    case Word::f16: return ptx::Type::f16;
    case Word::bf16: return ptx::Type::bf16;
    case Word::tf32: return ptx::Type::tf32;
    case Word::e4m3: return ptx::Type::e4m3;
    case Word::e5m2: return ptx::Type::e5m2;
    case Word::f32: return ptx::Type::f32;
    case Word::f64: return ptx::Type::f64;
    default: return ptx::Type::none;
  }
}

ptx::Instruction ptx_instruction(ptx::Opcode opcode) {
  ptx::Instruction instruction;
  instruction.opcode = opcode;
  return instruction;
}

void set(ptx::Instruction& instruction, ptx::Modifier modifier, bool value) {
  instruction.modifiers.set(static_cast<std::size_t>(modifier), value);
}

}  // namespace warpwalk::gpu

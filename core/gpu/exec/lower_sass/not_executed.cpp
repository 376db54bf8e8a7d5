#include <algorithm>

#include "core/gpu/exec/lower_sass/lowering.h"

namespace warpwalk::gpu {

using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

namespace {

// Modifiers that the decoder knows but no function of this room implements.
constexpr Word words[] = {Word::pquad, Word::regoffset, Word::satrelu, Word::sp,   Word::step0,
                          Word::step1, Word::step2,     Word::step3,   Word::e2m1, Word::e2m3,
                          Word::e3m2,  Word::e8,        Word::mt1616,  Word::m816, Word::m832};
// Elements of matrices. I2IP packs to them.
constexpr Word narrow_types[] = {Word::s2, Word::s4, Word::u2, Word::u4};
constexpr unsigned convergence_barriers = 16;

}  // namespace

void MachineCodeLowering::refuse_what_is_not_executed() const {
  for (const Word word : words)
    if (has(word)) refuse("with ." + std::string(name_of(word)) + " is not supported");
  const bool takes_narrow_types = i_->opcode == Opcode::i2ip || i_->opcode == Opcode::imma;
  for (const Word type : narrow_types)
    if (has(type) && !takes_narrow_types) refuse("with ." + std::string(name_of(type)) + " is not supported");
  const bool converts = i_->opcode == Opcode::f2fp;
  if (converts && has(Word::rs)) refuse("with .RS is not supported");
  if (has(Word::satfinite) && !converts) refuse("with .SATFINITE is not supported");
  for (const Operand& o : i_->operands) {
    if (o.kind == OperandKind::barrier && o.reg >= convergence_barriers) refuse("of a warp's state is not supported");
    if (i_->opcode == Opcode::hadd2 && o.suffix == Word::f32) refuse("of an f32 is not supported");
  }
}

}  // namespace warpwalk::gpu

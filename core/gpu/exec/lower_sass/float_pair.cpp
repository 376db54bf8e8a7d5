#include <array>

#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/ptx_words.h"

// FADD2, FMUL2, FFMA2 and FMNMX3 of compute capability 10.0.
namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::Word;

/// FADD2, FMUL2 and FFMA2: the same operation on both f32 values of pairs of registers.
void MachineCodeLowering::lower_float_pair() {
  ptx::Instruction like = ptx_instruction(i_->opcode == Opcode::fadd2   ? ptx::Opcode::add
                                          : i_->opcode == Opcode::fmul2 ? ptx::Opcode::mul
                                                                        : ptx::Opcode::fma);
  like.types = {ptx::Type::f32};
  like.rounding = rounding_of(i_->word(Field::rounding));
  set(like, ptx::Modifier::ftz, has(Word::ftz));
  const Alu alu = like_ptx(like);
  const Operand& to = operand(0);
  std::array<std::array<Slot, 3>, 2> values{};
  const auto from = sources();
  for (std::size_t half = 0; half < 2; ++half)
    for (std::size_t k = 0; k < from.size(); ++k) values[half][k] = f32(register_after(*from[k], half));
  for (unsigned half = 0; half < 2; ++half)
    emit_alu(alu, is_zero(to) ? destination(to) : part(to, half), values[half][0], values[half][1], values[half][2]);
}

/// The n-th register of an operand with the modifiers of the operand; RZ stays RZ.
Operand MachineCodeLowering::register_after(const Operand& o, std::size_t n) const {
  Operand next = o;
  if (!is_zero(o)) next.reg = static_cast<std::uint8_t>(o.reg + n);
  return next;
}

/// FMNMX3: a predicate chooses the minimum or the maximum of three values.
void MachineCodeLowering::lower_float_extreme_of_three() {
  const auto from = sources();
  const Slot a = f32(*from[0]), b = f32(*from[1]), c = f32(*from[2]);
  const Operand& choice = *from[3];
  if (!is_true(choice) && !is_false(choice)) refuse("with a predicate is not supported");
  ptx::Instruction like = ptx_instruction(is_true(choice) ? ptx::Opcode::min : ptx::Opcode::max);
  like.types = {ptx::Type::f32};
  set(like, ptx::Modifier::ftz, has(Word::ftz));
  set(like, ptx::Modifier::nan, has(Word::nan));
  const Alu extreme = like_ptx(like);
  emit_alu(extreme, destination(operand(0)), compute(extreme, a, b), c);
}

}  // namespace warpwalk::gpu

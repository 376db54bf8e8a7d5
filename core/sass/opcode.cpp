#include "core/sass/opcode.h"

#include <algorithm>

#include "core/sass/opcode_properties.h"

namespace warpwalk::sass {
namespace {

// HFMA2.MMA R1, -RZ, RZ, 0, 0: 0 * 0 + a constant, which compilers use to write a constant on the pipe of half
// precision.
bool writes_constant(const Instruction& instruction) {
  return instruction.opcode == Opcode::hfma2 && std::ranges::count_if(instruction.operands, [](const Operand& operand) {
                                                  return !operand.written && operand.kind == OperandKind::reg &&
                                                         operand.reg == zero_register;
                                                }) == 2;
}

}  // namespace

std::string_view name_of(Opcode opcode) { return row_of(opcode).name; }

InstructionKind kind_of(const Instruction& instruction) {
  if (instruction.has(Word::mov) || writes_constant(instruction)) return InstructionKind::move;
  return row_of(instruction.opcode).kind;
}

}  // namespace warpwalk::sass

#include "tests/alu/warp.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace warpwalk::gpu {

Built built(const Form& form) {
  Built result;
  ptx::Instruction& instruction = result.instruction;
  instruction.opcode = form.opcode;
  instruction.types = form.types;
  instruction.rounding = form.rounding;
  instruction.compare = form.compare;
  instruction.action = form.action;
  for (const ptx::Modifier modifier : form.modifiers) instruction.modifiers.set(static_cast<std::size_t>(modifier));
  for (int i = 0; i < form.operands; ++i) {
    const auto at = static_cast<std::size_t>(i);
    ptx::Operand operand;
    operand.kind = ptx::OperandKind::reg;
    operand.index = i;
    instruction.operands.push_back(operand);
    // The register width follows the types: d uses the first, sources use the last.
    const ptx::Type type = form.types.empty() ? ptx::Type::b32 : i == 0 ? form.types.front() : form.types.back();
    result.function.registers.push_back(
        {.name = "%r" + std::to_string(i), .type = at < form.registers.size() ? form.registers[at] : type});
  }
  if (form.opcode == ptx::Opcode::lop3) {
    ptx::Operand table;
    table.kind = ptx::OperandKind::immediate;
    table.bits = form.table;
    instruction.operands.resize(4);
    instruction.operands.push_back(table);
  }
  return result;
}

Alu alu_of(const Form& form, Isa isa) {
  const Built one = built(form);
  const auto found = find_alu(one.function, one.instruction, isa);
  if (!found) {
    ADD_FAILURE() << found.error();
    throw std::runtime_error(found.error());
  }
  return *found;
}

std::string refusal_of(const Form& form) {
  const Built one = built(form);
  const auto found = find_alu(one.function, one.instruction);
  return found ? std::string() : found.error();
}

std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15U;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  return z ^ z >> 31;
}

}  // namespace warpwalk::gpu

#include "core/gpu/alu/request.h"

#include "core/ptx/opcode.h"
#include "core/ptx/type.h"

namespace warpwalk::gpu::alu {

bool Request::has_only(std::initializer_list<ptx::Modifier> known) const {
  auto rest = instruction.modifiers;
  for (const ptx::Modifier modifier : known) rest.reset(static_cast<std::size_t>(modifier));
  return rest.none();
}

int Request::register_bytes(std::size_t i, ptx::Type type) const {
  ptx::Type found = type;
  if (i < instruction.operands.size()) {
    const ptx::Operand& operand = instruction.operands[i];
    const auto index = static_cast<std::size_t>(operand.index);
    if (operand.kind == ptx::OperandKind::reg && operand.index >= 0 && index < function.registers.size())
      found = function.registers[index].type;
  }
  const int bytes = ptx::bytes_of(found);
  return bytes == 1 ? 2 : bytes;
}

base::Error Request::unsupported() const {
  std::string text(ptx::name_of(instruction.opcode));
  for (const ptx::Type type : instruction.types) text.append(".").append(ptx::name_of(type));
  std::string with;
  for (std::size_t i = 0; i < instruction.modifiers.size(); ++i)
    if (instruction.modifiers[i])
      with.append(with.empty() ? " with ." : " .").append(ptx::name_of(static_cast<ptx::Modifier>(i)));
  return base::Error{text + with + " is not supported"};
}

}  // namespace warpwalk::gpu::alu

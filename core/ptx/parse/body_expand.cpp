// Instructions that the parser writes as several simpler ones.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/ptx/parse/body.h"

namespace warpwalk::ptx {
namespace {

/// An instruction with the guard and the place of another one, which it becomes a part of.
Instruction part_of(const Instruction& whole, Opcode opcode, Type type, std::size_t operands) {
  Instruction part;
  part.opcode = opcode;
  part.types = {type};
  part.guard = whole.guard;
  part.guard_negated = whole.guard_negated;
  part.line = whole.line;
  part.column = whole.column;
  part.location = whole.location;
  part.operands.resize(operands);
  return part;
}

bool is_register(const Operand& operand, std::int32_t index) {
  return operand.kind == OperandKind::reg && operand.index == index;
}

}  // namespace

/// Declares a register without a name in the text.
std::int32_t BodyParser::temporary(const Token& at, std::string name, Type type) {
  count_registers(at, name.size(), 1);
  function_.registers.push_back({std::move(name), type});
  return static_cast<std::int32_t>(function_.registers.size() - 1);
}

/// ptxas takes `%r1 + 4` wherever an instruction reads a register. The sum gets an instruction of its own.
void BodyParser::add_up(Instruction& instruction) {
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    Operand& operand = instruction.operands[i];
    if (operand.kind != OperandKind::reg || operand.address || operand.offset == 0) continue;
    const Register from = function_.registers[static_cast<std::size_t>(operand.index)];
    const int bytes = bytes_of(from.type);
    // ptxas 13.0 fails or gives 0 for floating-point registers, and does not end for predicates.
    if (is_float(from.type) || bytes == 0 || bytes > 8)
      fail(operand_tokens_[i], "a constant can only be added to an integer register");
    const Type type = bytes == 8 ? Type::u64 : bytes == 4 ? Type::u32 : Type::u16;
    Instruction sum = part_of(instruction, Opcode::add, type, 3);
    const std::int64_t constant = std::exchange(operand.offset, 0);
    sum.operands[1] = operand;
    sum.operands[2].kind = OperandKind::immediate;
    sum.operands[2].bits = static_cast<std::uint64_t>(constant);
    operand.index = temporary(operand_tokens_[i], fmt::format("({} + {})", from.name, constant), type);
    sum.operands[0] = operand;
    function_.instructions.push_back(std::move(sum));
  }
}

/// mov.v4.b32 %v, {a, b, c, d} moves each element by itself. All sources are read first.
void BodyParser::split_move(Instruction& instruction) {
  const Type type = instruction.type();
  const std::vector<Operand> to = std::move(instruction.operands[0].elements);
  std::vector<Operand> from = std::move(instruction.operands[1].elements);
  const auto move = [&](const Operand& d, const Operand& a) {
    Instruction part = part_of(instruction, Opcode::mov, type, 2);
    part.operands = {d, a};
    function_.instructions.push_back(std::move(part));
  };
  for (std::size_t i = 1; i < from.size(); ++i) {
    const bool is_overwritten =
        std::any_of(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const Operand& d) { return d.kind == OperandKind::reg && is_register(from[i], d.index); });
    if (!is_overwritten) continue;
    const Register& source = function_.registers[static_cast<std::size_t>(from[i].index)];
    const Type register_type = source.type;
    Operand copy = from[i];
    copy.index = temporary(operand_tokens_[1], fmt::format("(old {})", std::string(source.name)), register_type);
    move(copy, from[i]);
    from[i] = copy;
  }
  for (std::size_t i = 0; i < from.size(); ++i)
    if (to[i].kind != OperandKind::discard) move(to[i], from[i]);
}

}  // namespace warpwalk::ptx

#include "tests/ptx/walk.h"

#include <cstdint>
#include <stdexcept>

namespace warpwalk::ptx {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void in_range(std::int64_t index, std::size_t size, const char* what) {
  require(index >= 0 && static_cast<std::uint64_t>(index) < size, what);
}

class Walk {
 public:
  Walk(const Module& module, const Function& function) : module_(module), function_(function) {}

  void everything() const {
    for (const std::vector<Parameter>* list : {&function_.returns, &function_.parameters})
      for (const Parameter& parameter : *list) {
        require(parameter.offset % parameter.alignment == 0, "a parameter is aligned");
        if (function_.defined && parameter.in_register)
          in_range(parameter.reg, function_.registers.size(), "a parameter's register exists");
      }
    for (const Variable& variable : function_.variables)
      require(variable.alignment > 0 && variable.initial.empty(), "a variable of a function");
    for (const Location& location : function_.locations) {
      in_range(location.file, module_.files.size(), "a location's file exists");
      if (location.inlined_at != -1)
        in_range(location.inlined_at, function_.locations.size(), "an inlined call's location exists");
    }
    for (const auto& table : function_.tables)
      for (const std::int32_t target : table) label(target);
    for (const Instruction& instruction : function_.instructions) visit(instruction);
  }

 private:
  void label(std::int32_t index) const { in_range(index, function_.instructions.size() + 1, "a label's place exists"); }

  void visit(const Instruction& instruction) const {
    require(instruction.opcode != Opcode::none, "an instruction has an opcode");
    require(instruction.vector == 1 || instruction.vector == 2 || instruction.vector == 4, "a vector's size");
    require(instruction.line > 0 && instruction.column > 0, "an instruction stands somewhere");
    if (instruction.guard != -1) {
      in_range(instruction.guard, function_.registers.size(), "a guard exists");
      require(function_.registers[static_cast<std::size_t>(instruction.guard)].type == Type::pred, "a guard's type");
    }
    if (instruction.location != -1)
      in_range(instruction.location, function_.locations.size(), "an instruction's location exists");
    for (const Operand& operand : instruction.operands) visit(operand, 0);
    if (instruction.opcode == Opcode::call)
      require(instruction.operands.size() == 3 || instruction.operands.size() == 4, "a call's operands");
  }

  void visit(const Operand& operand, int depth) const {
    const bool has_elements = operand.kind == OperandKind::vector || operand.kind == OperandKind::pair ||
                              operand.kind == OperandKind::texel;
    require(has_elements || operand.elements.empty(), "only vectors and pairs have elements");
    require(!has_elements || depth == 0, "vectors hold no vectors");
    for (const Operand& element : operand.elements) visit(element, depth + 1);
    switch (operand.kind) {
      case OperandKind::none: require(false, "an operand is something"); break;
      case OperandKind::reg: in_range(operand.index, function_.registers.size(), "a register exists"); break;
      case OperandKind::special: require(operand.special != Special::none, "a special register exists"); break;
      case OperandKind::variable: in_range(operand.index, module_.variables.size(), "a variable exists"); break;
      case OperandKind::local_variable:
        in_range(operand.index, function_.variables.size(), "a function's variable exists");
        break;
      case OperandKind::parameter:
        in_range(operand.index, (operand.returns ? function_.returns : function_.parameters).size(),
                 "a parameter exists");
        break;
      case OperandKind::function: in_range(operand.index, module_.functions.size(), "a function exists"); break;
      case OperandKind::label: label(operand.index); break;
      case OperandKind::table: in_range(operand.index, function_.tables.size(), "a branch table exists"); break;
      case OperandKind::prototype: in_range(operand.index, function_.prototypes.size(), "a prototype exists"); break;
      case OperandKind::pair: require(operand.elements.size() == 2, "a pair is two"); break;
      case OperandKind::texel: require(operand.elements.size() >= 2, "a texture and a coordinate"); break;
      case OperandKind::immediate:
      case OperandKind::vector:
      case OperandKind::discard: break;
    }
  }

  const Module& module_;
  const Function& function_;
};

void visit(const Module& module, const Variable& variable) {
  require(variable.alignment > 0, "a variable's alignment");
  require(variable.initial.size() <= variable.bytes, "initial values fit into their variable");
  for (const Relocation& relocation : variable.relocations) {
    require(relocation.offset + relocation.bytes <= variable.initial.size(), "an address is within its variable");
    require(relocation.bytes == 1 || relocation.bytes == 4 || relocation.bytes == 8, "an address's bytes");
    require(relocation.byte < 8, "a byte of an address");
    in_range(relocation.index, relocation.function ? module.functions.size() : module.variables.size(),
             "what an address leads to exists");
  }
}

}  // namespace

std::optional<std::string> flaw_of(const Module& module) {
  try {
    for (const Variable& variable : module.variables) visit(module, variable);
    for (const Function& function : module.functions) Walk(module, function).everything();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace warpwalk::ptx

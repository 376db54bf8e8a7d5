#include "core/ptx/parse/register_arguments.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/ptx/parse/call.h"

namespace warpwalk::ptx {
namespace {

bool is_in_memory(const Operand& passed) {
  return passed.kind == OperandKind::local_variable || passed.kind == OperandKind::parameter;
}

bool any_in_register(const std::vector<Parameter>& parameters) {
  return std::ranges::any_of(parameters, [](const Parameter& parameter) { return parameter.in_register; });
}

/// The register or vector of registers of a parameter.
Operand register_of(const Parameter& parameter) {
  Operand reg;
  reg.kind = OperandKind::reg;
  reg.index = parameter.reg;
  if (parameter.elements == 1) return reg;
  Operand vector;
  vector.kind = OperandKind::vector;
  for (std::int32_t i = 0; i < parameter.elements; ++i) {
    reg.index = parameter.reg + i;
    vector.elements.push_back(reg);
  }
  return vector;
}

class Rewriting {
 public:
  Rewriting(const Module& module, Function& function) : module_(module), function_(function) {}

  void run() {
    std::vector<Instruction> before = std::move(function_.instructions);
    const std::size_t count = before.size();
    Instruction head;
    head.line = function_.line;
    for (std::size_t i = 0; i < function_.parameters.size(); ++i)
      if (function_.parameters[i].in_register)
        access(head, function_.parameters[i], parameter(i, false), register_of(function_.parameters[i]), Opcode::ld);
    for (Instruction& instruction : before) {
      new_index_.push_back(static_cast<std::int32_t>(out_.size()));
      if (instruction.opcode == Opcode::call) {
        call(std::move(instruction));
        continue;
      }
      if (instruction.opcode == Opcode::ret) return_values(instruction);
      out_.push_back(std::move(instruction));
    }
    new_index_.push_back(static_cast<std::int32_t>(out_.size()));
    // Control also returns where it reaches the end.
    Instruction last;
    last.line = count == 0 ? function_.line : out_.back().line;
    if (out_.empty() || out_.back().opcode != Opcode::ret || out_.back().guard >= 0 || reaches(count))
      return_values(last);
    function_.instructions = std::move(out_);
    renumber();
  }

 private:
  /// True if a branch leads to this instruction.
  bool reaches(std::size_t index) const {
    const auto is_target = [&](std::int32_t target) { return static_cast<std::size_t>(target) == index; };
    for (const auto& table : function_.tables)
      if (std::ranges::any_of(table, is_target)) return true;
    return std::ranges::any_of(
        out_, [&](const Instruction& i) { return i.opcode == Opcode::bra && is_target(i.operands[0].index); });
  }

  void renumber() {
    for (Instruction& instruction : function_.instructions)
      for (Operand& operand : instruction.operands)
        if (operand.kind == OperandKind::label) operand.index = new_index_[static_cast<std::size_t>(operand.index)];
    for (auto& table : function_.tables)
      for (std::int32_t& target : table) target = new_index_[static_cast<std::size_t>(target)];
  }

  static Operand parameter(std::size_t index, bool returns) {
    Operand operand;
    operand.kind = OperandKind::parameter;
    operand.index = static_cast<std::int32_t>(index);
    operand.returns = returns;
    return operand;
  }

  /// Adds a load or store of a parameter. It has the place and the guard of the instruction that it belongs to.
  void access(const Instruction& owner, const Parameter& parameter, Operand memory, const Operand& value,
              Opcode opcode) {
    Instruction& added = out_.emplace_back();
    added.opcode = opcode;
    added.space = Space::param;
    added.vector = parameter.elements;
    added.types = {parameter.type};
    added.guard = owner.guard;
    added.guard_negated = owner.guard_negated;
    added.line = owner.line;
    added.column = owner.column;
    added.location = owner.location;
    memory.address = true;
    added.operands = {std::move(memory), value};
    if (opcode == Opcode::ld) std::swap(added.operands[0], added.operands[1]);
  }

  void return_values(const Instruction& owner) {
    for (std::size_t i = 0; i < function_.returns.size(); ++i)
      if (function_.returns[i].in_register)
        access(owner, function_.returns[i], parameter(i, true), register_of(function_.returns[i]), Opcode::st);
  }

  /// A .param variable for one argument or return value of a call.
  Operand variable_for(const Parameter& parameter, const Instruction& call) {
    Variable variable;
    variable.name = fmt::format("(argument of the call on line {})", call.line);
    variable.space = Space::param;
    variable.type = parameter.type;
    variable.alignment = parameter.alignment;
    variable.bytes = parameter.bytes;
    variable.line = call.line;
    Operand operand;
    operand.kind = OperandKind::local_variable;
    operand.index = static_cast<std::int32_t>(function_.variables.size());
    function_.variables.push_back(std::move(variable));
    return operand;
  }

  void call(Instruction instruction) {
    const Signature callee = signature_of(module_, function_, instruction);
    std::vector<Operand>& arguments = instruction.operands[2].elements;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (is_in_memory(arguments[i])) continue;
      const Operand value = std::exchange(arguments[i], variable_for(callee.parameters[i], instruction));
      access(instruction, callee.parameters[i], arguments[i], value, Opcode::st);
    }
    std::vector<Operand>& results = instruction.operands[0].elements;
    std::vector<std::pair<std::size_t, Operand>> loads;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (is_in_memory(results[i])) continue;
      Operand value = std::exchange(results[i], variable_for(callee.returns[i], instruction));
      if (value.kind != OperandKind::discard) loads.emplace_back(i, std::move(value));
    }
    out_.push_back(instruction);
    for (const auto& [i, value] : loads) access(instruction, callee.returns[i], results[i], value, Opcode::ld);
  }

  const Module& module_;
  Function& function_;
  std::vector<Instruction> out_;
  std::vector<std::int32_t> new_index_;  ///< by old index; one past the last instruction too
};

}  // namespace

void pass_registers_in_memory(const Module& module, Function& function) {
  const bool calls = std::ranges::any_of(function.instructions, [](const Instruction& i) {
    return i.opcode == Opcode::call && (!std::ranges::all_of(i.operands[0].elements, is_in_memory) ||
                                        !std::ranges::all_of(i.operands[2].elements, is_in_memory));
  });
  if (calls || any_in_register(function.parameters) || any_in_register(function.returns))
    Rewriting(module, function).run();
}

}  // namespace warpwalk::ptx

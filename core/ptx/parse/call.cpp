#include "core/ptx/parse/call.h"

#include <string>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::ptx {
namespace {

Operand empty_list() {
  Operand list;
  list.kind = OperandKind::vector;
  return list;
}

/// Bytes of a passed operand; 0 for a number or `_`, which fit any size.
std::uint64_t argument_bytes(const Function& function, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::reg:
      return static_cast<std::uint64_t>(bytes_of(function.registers[static_cast<std::size_t>(operand.index)].type));
    case OperandKind::vector: {
      std::uint64_t bytes = 0;
      for (const Operand& element : operand.elements) bytes += argument_bytes(function, element);
      return bytes;
    }
    case OperandKind::local_variable: return function.variables[static_cast<std::size_t>(operand.index)].bytes;
    case OperandKind::parameter: {
      const std::vector<Parameter>& list = operand.returns ? function.returns : function.parameters;
      return list[static_cast<std::size_t>(operand.index)].bytes;
    }
    default: return 0;
  }
}

bool is_valid_argument(const Function& function, const Operand& operand, const Parameter& parameter, bool returned) {
  if (operand.negated || operand.minus || operand.offset != 0 || operand.selector.count != 0) return false;
  const auto bytes = static_cast<std::uint32_t>(bytes_of(parameter.type)) * parameter.elements;
  const bool is_array = parameter.bytes != bytes;
  switch (operand.kind) {
    case OperandKind::reg: return parameter.elements == 1 && !is_array;
    case OperandKind::vector: return operand.elements.size() == parameter.elements && !is_array;
    case OperandKind::parameter: return true;
    case OperandKind::discard: return returned;
    case OperandKind::immediate: {
      const bool is_real = parameter.type == Type::f32 || parameter.type == Type::f64;
      return !returned && !is_array && (operand.literal != Literal::integer) == is_real;
    }
    case OperandKind::local_variable:
      return function.variables[static_cast<std::size_t>(operand.index)].space == Space::param;
    default: return false;
  }
}

std::string mismatch(const Function& function, const Operand& list, const std::vector<Parameter>& parameters,
                     bool returned) {
  const std::string_view what = returned ? "return value" : "argument";
  if (list.elements.size() != parameters.size())
    return fmt::format("this call has {} {}{}; the callee has {}", list.elements.size(), what,
                       list.elements.size() == 1 ? "" : "s", parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Operand& passed = list.elements[i];
    if (!is_valid_argument(function, passed, parameters[i], returned))
      return fmt::format("{} {} is not a .param variable{} of type .{}", what, i,
                         returned ? " or register" : ", register or number", name_of(parameters[i].type));
    // Small values may be passed in wider registers.
    const std::uint64_t bytes = argument_bytes(function, passed), expected = parameters[i].bytes;
    if (bytes != expected && passed.kind != OperandKind::immediate && passed.kind != OperandKind::discard &&
        (passed.kind != OperandKind::reg || bytes < expected))
      return fmt::format("{} {} has {} bytes; the callee expects {}", what, i, bytes, expected);
  }
  return "";
}

}  // namespace

void parse_call(State& state, OperandParser& operands, Labels& labels, const Function& function,
                Instruction& instruction) {
  Lexer& in = state.in;
  Operand returns = empty_list();
  if (in.at("(")) {
    returns = operands.list();
    in.expect(",", "after the return values of a call");
  }
  const Token callee = in.peek();
  Operand target = operands.operand();
  const bool indirect = target.kind == OperandKind::reg && !target.address && target.offset == 0 && !target.negated &&
                        !target.minus && target.selector.count == 0;
  if (target.kind != OperandKind::function && !indirect)
    fail(callee, "expected a function, or a register that holds a function address");
  if (indirect) {
    const Type type = function.registers[static_cast<std::size_t>(target.index)].type;
    if (is_float(type) || bytes_of(type) * 8 != state.module.address_size)
      fail(callee, fmt::format("a function address must be in a {}-bit register", state.module.address_size));
  }
  Operand arguments = empty_list();
  bool prototype = false;
  if (in.accept(",")) {
    if (in.at("(")) {
      arguments = operands.list();
      prototype = in.accept(",");
    } else {
      prototype = true;
    }
  }
  instruction.operands = {std::move(returns), std::move(target), std::move(arguments)};
  if (prototype) {
    const Token name = in.expect(TokenKind::word, "the prototype of an indirect call");
    if (!indirect) fail(name, "a direct call does not take a prototype");
    labels.use_operand(name, function.instructions.size(), instruction.operands.size());
    instruction.operands.emplace_back().kind = OperandKind::prototype;
  } else if (indirect) {
    fail(in.peek(), "an indirect call needs the name of its .callprototype");
  }
}

Signature signature_of(const Module& module, const Function& function, const Instruction& call) {
  const Operand& target = call.operands[1];
  if (target.kind == OperandKind::function) {
    const Function& callee = module.functions[static_cast<std::size_t>(target.index)];
    return {callee.returns, callee.parameters};
  }
  const Prototype& prototype = function.prototypes[static_cast<std::size_t>(call.operands[3].index)];
  return {prototype.returns, prototype.parameters};
}

void check_calls(const Module& module, const Function& function) {
  for (const Instruction& instruction : function.instructions) {
    if (instruction.opcode != Opcode::call) continue;
    const Signature callee = signature_of(module, function, instruction);
    std::string why = mismatch(function, instruction.operands[0], callee.returns, true);
    if (why.empty()) why = mismatch(function, instruction.operands[2], callee.parameters, false);
    if (!why.empty()) fail({TokenKind::word, "call", instruction.line, instruction.column}, std::move(why));
  }
}

}  // namespace warpwalk::ptx

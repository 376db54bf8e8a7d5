#pragma once

#include <unordered_map>
#include <vector>

#include "core/ptx/parse/labels.h"
#include "core/ptx/parse/operand_parser.h"
#include "core/ptx/parse/state.h"

namespace warpwalk::ptx {

/// Parses the body of one function whose parameters are already known.
class BodyParser {
 public:
  BodyParser(State& state, Function& function);
  /// Parses "{ ... }", then resolves labels and checks calls. The tokens are the names of the function's parameters.
  void parse(const std::vector<Token>& returns, const std::vector<Token>& parameters);

 private:
  void enter_parameters(const std::vector<Token>& names, std::vector<Parameter>& parameters, bool returns);
  void statement();
  void directive();
  void registers();
  void register_range(Type type, const Token& name, std::uint8_t elements);
  void add_register(const Token& name, Type type, std::uint8_t elements);
  void push_register(std::string_view name, Type type, std::uint8_t elements);
  void count_registers(const Token& at, std::uint64_t name_length, std::uint64_t count);
  void variables(Space space, bool is_extern);
  void module_variables(Space space);
  void label_statement();
  void branch_targets(const Token& name);
  void call_prototype(const Token& name);
  void call_targets(const Token& name);

  void instruction();
  void guard(Instruction& instruction);
  void operands(Instruction& instruction, const Form& form);

  // body_expand.cpp
  void add_up(Instruction& instruction);
  void split_move(Instruction& instruction);
  std::int32_t temporary(const Token& at, std::string name, Type type);
  void indexed_branch(Instruction& instruction);
  void label_operand(Instruction& instruction, OperandKind kind, std::string_view what);

  State& state_;
  Lexer& in_;
  Function& function_;
  Scopes scopes_;
  Labels labels_;
  OperandParser operands_;
  std::int32_t location_ = -1;
  std::unordered_map<std::int32_t, std::int32_t> prototypes_;  ///< .calltargets: first function to prototype
  std::vector<Token> operand_tokens_;                          ///< first tokens of the current operands
};

}  // namespace warpwalk::ptx

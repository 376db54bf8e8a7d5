#pragma once

#include "core/ptx/parse/state.h"

namespace warpwalk::ptx {

/// Parses operands. Names are looked up in the function's scopes first, then in the module.
class OperandParser {
 public:
  OperandParser(State& state, const Scopes& scopes) : in_(state.in), module_names_(state.names), scopes_(scopes) {}

  /// Parses any operand except a label: a register, a register plus a constant, number, [address], {a, b}, p|q, !p, -a
  /// or _. A vector register becomes {a, b}.
  Operand operand();
  /// Parses the "(a, b)" list of a call as a vector. Nested braces are rejected.
  Operand list();

 private:
  Operand simple();
  Operand scalar();
  Operand named();
  Operand operand_of(const Symbol& symbol);
  static Operand special_vector(std::string_view name);
  std::optional<Operand> part(const Token& name) const;
  Operand texel(Operand object);
  Operand address();
  Operand elements(std::string_view closing, bool vectors);
  std::int64_t offset();
  std::optional<Symbol> find(std::string_view name) const;

  Lexer& in_;
  const Names& module_names_;
  const Scopes& scopes_;
};

}  // namespace warpwalk::ptx

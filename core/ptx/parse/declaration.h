#pragma once

#include <string_view>
#include <vector>

#include "core/ptx/parse/state.h"

namespace warpwalk::ptx {

/// A declared variable and the token of its name.
struct DeclaredVariable {
  Token name;
  Variable variable;
};

/// A parenthesized parameter list and the tokens of the parameter names.
struct ParameterList {
  std::vector<Token> names;
  std::vector<Parameter> parameters;
};

/// True if registers and variables can have this type. The other types appear only in instructions.
bool is_fundamental(Type type);

/// Parses a name. Fails with "expected <what>" on any other token.
Token parse_name(Lexer& in, std::string_view what);

/// Parses the variables of one declaration up to its semicolon, e.g. ".align 4 .b8 a[16] = {1, 2}, b;". The space
/// directive (`.global`, `.const`, `.shared`, `.local` or `.param`) is already consumed. The caller adds the names to a
/// scope. `locals`: names that initial values may use besides the module's; null for none.
std::vector<DeclaredVariable> parse_variables(State& state, Space space, bool is_extern,
                                              const Scopes* locals = nullptr);

/// Parses "(.param .b32 a, .reg .u32 b)" including the parentheses. Parameters in registers have no register index yet.
ParameterList parse_parameters(State& state);

/// Parses the initializer after `=` and fills in the variable's bytes and relocations. `extents` are the array's
/// extents. If the first is 0 (open-ended), it is set to the number of values.
void parse_initialiser(State& state, Variable& variable, std::vector<std::uint64_t>& extents, const Scopes* locals);

}  // namespace warpwalk::ptx

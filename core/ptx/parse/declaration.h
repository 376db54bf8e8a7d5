#pragma once

#include <string_view>
#include <vector>

#include "core/ptx/parse/state.h"

namespace warpwalk::ptx {

/// A variable as declared, and where its name stands.
struct DeclaredVariable {
  Token name;
  Variable variable;
};

/// The parameters in one pair of brackets, and where their names stand.
struct ParameterList {
  std::vector<Token> names;
  std::vector<Parameter> parameters;
};

/// Whether registers and variables can be of this type; others are of instructions alone.
bool is_fundamental(Type type);

/// A name of the text. Fails where something else stands, `what` being what belongs there.
Token parse_name(Lexer& in, std::string_view what);

/// The variables of one declaration, of which `.global`, `.const`, `.shared`, `.local` or `.param` is taken, up to its
/// semicolon: ".align 4 .b8 a[16] = {1, 2}, b;". The caller enters the names.
std::vector<DeclaredVariable> parse_variables(State& state, Space space, bool is_extern);

/// "(.param .b32 a, .reg .u32 b)", brackets and all. Those in registers have no register yet.
ParameterList parse_parameters(State& state);

/// What follows `=` of a variable: fills in its bytes and relocations. `extents` are the array's; the first may be 0
/// for "as many as there are" and then becomes that.
void parse_initialiser(State& state, Variable& variable, std::vector<std::uint64_t>& extents);

}  // namespace warpwalk::ptx

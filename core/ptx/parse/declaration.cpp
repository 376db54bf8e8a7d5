#include "core/ptx/parse/declaration.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/ptx/parse/expression.h"

namespace warpwalk::ptx {
namespace {

constexpr std::uint32_t max_alignment = 1u << 16;

std::uint32_t parse_alignment(Lexer& in) {
  const Token number = in.peek();
  const std::uint64_t alignment = parse_count(in, max_alignment, "an alignment in bytes");
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) fail(number, "an alignment must be a power of two");
  return static_cast<std::uint32_t>(alignment);
}

/// Skips .attribute(.managed), .attribute(.unified(1, 2)): they do not affect the simulation.
void skip_attribute(Lexer& in) {
  in.expect("(", "after .attribute");
  for (int open = 1; open > 0;) {
    if (in.at(TokenKind::end)) fail(in.peek(), "expected `)` after an attribute");
    const Token token = in.next();
    if (token.is("(")) ++open;
    if (token.is(")")) --open;
  }
}

/// Skips the initial properties of a texture, sampler or surface: the launch gives them.
void skip_properties(Lexer& in) {
  in.next();
  in.expect("{", "before the properties of a texture");
  while (!in.at("}")) {
    if (in.at(TokenKind::end)) fail(in.peek(), "expected `}` after the properties of a texture");
    in.next();
  }
  in.next();
}

Type parse_type(Lexer& in) {
  const Token token = in.peek();
  const Type type = token.kind == TokenKind::directive ? find_type(token.text.substr(1)) : Type::none;
  if (type == Type::none) fail(token, "expected a type such as .b32");
  if (type == Type::pred) fail(token, "predicates cannot be stored in memory");
  if (!is_fundamental(type)) fail(token, "only instructions can have this type, not variables");
  in.next();
  return type;
}

struct ElementType {
  Type type = Type::b8;
  std::uint32_t vector = 1, alignment = 1;
  std::uint32_t bytes() const { return vector * static_cast<std::uint32_t>(bytes_of(type)); }
};

/// ".align 8 .v2 .f32", in any order.
ElementType parse_element_type(Lexer& in) {
  ElementType element;
  std::optional<std::uint32_t> alignment;
  for (;;) {
    if (in.accept(".align"))
      alignment = parse_alignment(in);
    else if (in.accept(".attribute"))
      skip_attribute(in);
    else if (in.accept(".v2"))
      element.vector = 2;
    else if (in.accept(".v4"))
      element.vector = 4;
    else
      break;
  }
  if (in.accept(".texref"))
    element.type = Type::texref;
  else if (in.accept(".samplerref"))
    element.type = Type::samplerref;
  else if (in.accept(".surfref"))
    element.type = Type::surfref;
  else
    element.type = parse_type(in);
  if (!alignment && in.accept(".align")) alignment = parse_alignment(in);
  element.alignment = alignment.value_or(element.bytes());
  return element;
}

/// "[2][3]"; an omitted extent is 0.
std::vector<std::uint64_t> parse_extents(Lexer& in, std::uint64_t limit) {
  std::vector<std::uint64_t> extents;
  while (in.accept("[")) {
    if (extents.size() == 8) fail(in.peek(), "arrays of more than 8 dimensions are not supported");
    extents.push_back(in.at("]") ? 0 : parse_count(in, limit, "a number of elements"));
    in.expect("]", "after the number of elements");
  }
  return extents;
}

std::uint64_t limit_of(const Limits& limits, Space space) {
  switch (space) {
    case Space::constant: return limits.constant_bytes;
    case Space::shared: return limits.shared_bytes;
    case Space::local: return limits.local_bytes;
    case Space::param: return limits.parameter_bytes;
    default: return limits.global_bytes;
  }
}

std::uint64_t size_of(const Token& name, std::uint64_t element, const std::vector<std::uint64_t>& extents,
                      std::uint64_t limit) {
  std::uint64_t bytes = element;
  for (const std::uint64_t extent : extents) {
    if (extent != 0 && bytes > limit / extent)
      fail(name, fmt::format("this variable is larger than the limit of {} bytes", limit));
    bytes *= extent;
  }
  return bytes;
}

DeclaredVariable parse_variable(State& state, Space space, bool is_extern, const ElementType& element,
                                const Scopes* locals) {
  Lexer& in = state.in;
  const Token name = parse_name(in, "the name of a variable");
  const std::uint64_t limit = limit_of(state.limits, space);
  Variable variable;
  variable.name = name.text;
  variable.space = space;
  variable.type = element.type;
  variable.alignment = element.alignment;
  variable.is_extern = is_extern;
  variable.line = name.line;
  std::vector<std::uint64_t> extents = parse_extents(in, limit);
  if (element.vector > 1) extents.push_back(element.vector);
  const auto bytes = static_cast<std::uint64_t>(bytes_of(element.type));
  variable.bytes = size_of(name, bytes, extents, limit);
  if (in.at("=") && element.type >= Type::texref) {
    skip_properties(in);
  } else if (in.at("=")) {
    if (space != Space::global && space != Space::constant)
      fail(in.peek(), "only .global and .const variables can have initial values");
    in.next();
    parse_initialiser(state, variable, extents, locals);
    variable.bytes = size_of(name, bytes, extents, limit);
  }
  return {name, std::move(variable)};
}

void parse_parameter(State& state, ParameterList& list) {
  Lexer& in = state.in;
  Parameter parameter;
  parameter.in_register = in.at(".reg");
  if (!parameter.in_register && !in.at(".param")) fail(in.peek(), "expected .param or .reg");
  in.next();
  ElementType element = parse_element_type(in);
  // .ptr .global .align 16 describes the pointer's target and only serves the compiler.
  if (in.accept(".ptr")) {
    for (const std::string_view space : {".global", ".const", ".shared", ".local"})
      if (in.accept(space)) break;
    if (in.accept(".align")) parse_alignment(in);
  }
  const Token name = parse_name(in, "the name of a parameter");
  parameter.name = name.text;
  parameter.type = element.type;
  parameter.alignment = element.alignment;
  parameter.elements = static_cast<std::uint8_t>(element.vector);
  const std::uint64_t limit = state.limits.parameter_bytes;
  const std::vector<std::uint64_t> extents = parse_extents(in, limit);
  if (parameter.in_register && !extents.empty()) fail(name, "a parameter in a register cannot be an array");
  if (parameter.in_register && element.bytes() > 16) fail(name, "a vector register has at most 16 bytes");
  parameter.bytes = static_cast<std::uint32_t>(size_of(name, element.bytes(), extents, limit));
  list.names.push_back(name);
  list.parameters.push_back(std::move(parameter));
}

}  // namespace

bool is_fundamental(Type type) {
  return (type >= Type::pred && type <= Type::f16x2) || type == Type::f32 || type == Type::f64;
}

Token parse_name(Lexer& in, std::string_view what) {
  const Token name = in.expect(TokenKind::word, what);
  if (name.text.find('.') != std::string_view::npos) fail(name, "a name must not contain dots");
  return name;
}

std::vector<DeclaredVariable> parse_variables(State& state, Space space, bool is_extern, const Scopes* locals) {
  const ElementType element = parse_element_type(state.in);
  std::vector<DeclaredVariable> variables;
  do variables.push_back(parse_variable(state, space, is_extern, element, locals));
  while (state.in.accept(","));
  state.in.expect(";", "after the declaration of a variable");
  return variables;
}

ParameterList parse_parameters(State& state) {
  Lexer& in = state.in;
  in.expect("(", "before parameters");
  ParameterList list;
  std::uint64_t offset = 0;
  if (in.accept(")")) return list;
  do {
    parse_parameter(state, list);
    Parameter& parameter = list.parameters.back();
    offset = (offset + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
    parameter.offset = static_cast<std::uint32_t>(offset);
    offset += parameter.bytes;
    if (offset > state.limits.parameter_bytes)
      fail(list.names.back(), fmt::format("parameters take more than {} bytes", state.limits.parameter_bytes));
  } while (in.accept(","));
  in.expect(")", "after parameters");
  return list;
}

}  // namespace warpwalk::ptx

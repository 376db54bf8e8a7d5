#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/expression/expression.h"
#include "core/ops/expression/tree.h"

// What the files of expression*.cpp share. Nothing else includes this.

namespace warpwalk::ops {

constexpr std::size_t most_expression_bytes = 10'000;
/// Brackets and operations inside each other.
constexpr std::size_t most_nesting = 200;
/// Of one tensor; keeps every product of sizes within 64 bits.
constexpr std::int64_t most_elements = std::int64_t{1} << 40;

/// Thrown within parse and check, caught at their ends.
struct ExpressionFault {
  ExpressionError error;
};
[[noreturn]] void fail(Place place, std::string message, std::string hint = {});

/// Bytes of the UTF-8 character that begins here; 0 where none does.
std::size_t character_bytes(std::string_view text, std::size_t position);
/// Its code point.
std::uint32_t code_point(std::string_view character);

struct Token {
  enum class Kind : std::uint8_t { name, number, symbol, end };
  Kind kind = Kind::end;
  Place place;
  std::string_view text;
  Number number;
};
/// The last token is end. Throws ExpressionFault.
std::vector<Token> lex(std::string_view text);

/// Throws ExpressionFault.
std::shared_ptr<const ExpressionNode> parse_tokens(const std::vector<Token>& tokens);

struct KnownFunction {
  std::string_view name;
  ExpressionNode::Kind kind;
};
inline constexpr std::array known_functions = {
    KnownFunction{"relu", ExpressionNode::Kind::relu}, KnownFunction{"exp", ExpressionNode::Kind::exp},
    KnownFunction{"sqrt", ExpressionNode::Kind::sqrt}, KnownFunction{"sum", ExpressionNode::Kind::sum},
    KnownFunction{"t", ExpressionNode::Kind::t}};
const KnownFunction* find_function(std::string_view name);
/// What to write in place of a function that does not exist: the nearest name, or how else it is said.
std::string instead_of(std::string_view unknown);
/// Reserved by Python, True, False and None apart.
bool is_keyword(std::string_view name);
/// The word that differs least from this one, if by at most two letters and half of it, capitals aside; else empty.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& words);

/// Arithmetic of numbers alone, as Python's. Throws ExpressionFault (division by zero, beyond 64 bits, @).
Number folded(const ExpressionNode& node, const Number& only);
Number folded(const ExpressionNode& node, const Number& left, const Number& right);
double as_double(const Number& number);

}  // namespace warpwalk::ops

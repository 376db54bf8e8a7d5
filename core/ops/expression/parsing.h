#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/expression/error.h"
#include "core/ops/expression/tree.h"
#include "core/ops/expression/utf8.h"

// Shared by the files of this folder: tokens, known words, constant folding. Only they and the fuzz test include it.

namespace warpwalk::ops {

constexpr std::size_t max_expression_bytes = 10'000;
/// Nested brackets and operations.
constexpr std::size_t max_nesting = 200;
/// The limit for one tensor; keeps every product of sizes within 64 bits.
constexpr std::int64_t max_elements = std::int64_t{1} << 40;

/// Thrown within parse and check, caught at their ends.
struct ExpressionFault {
  ExpressionError error;
};
[[noreturn]] void fail(Place place, std::string message, std::string hint = {});

struct Token {
  enum class Kind : std::uint8_t { name, number, text, symbol, end };
  Kind kind = Kind::end;
  Place place;
  std::string_view text;  ///< without quotes
  Number number;
};
/// The last token is end. Throws ExpressionFault.
std::vector<Token> lex(std::string_view text);

/// Throws ExpressionFault.
std::shared_ptr<const ExpressionNode> parse_tokens(const std::vector<Token>& tokens);

/// Returns null for an unknown function.
const ExpressionFunction* find_function(std::string_view name);
/// A hint for a function that does not exist: the nearest name, or how an expression writes the same.
std::string instead_of(std::string_view unknown);
/// Reserved by Python, except True, False and None.
bool is_keyword(std::string_view name);

/// Arithmetic on numbers, as in Python. Throws ExpressionFault (division by zero, overflow of 64 bits, @).
Number folded(const ExpressionNode& node, const Number& only);
Number folded(const ExpressionNode& node, const Number& left, const Number& right);
double as_double(const Number& number);

}  // namespace warpwalk::ops

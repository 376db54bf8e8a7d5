#include "core/ptx/parse/expression.h"

#include <array>
#include <bit>
#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace warpwalk::ptx {
namespace {

/// Maximum nesting of parentheses and unary operators.
constexpr int max_nesting = 64;

std::optional<std::uint64_t> read_digits(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<Constant> read_float_bits(std::string_view digits, std::size_t length, Literal literal) {
  if (digits.size() != length) return std::nullopt;
  const auto bits = read_digits(digits, 16);
  if (!bits) return std::nullopt;
  return Constant{*bits, literal, false};
}

std::optional<Constant> read_decimal_float(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return Constant{std::bit_cast<std::uint64_t>(value), Literal::f64, false};
}

Constant bool_constant(bool value) { return {value ? std::uint64_t{1} : std::uint64_t{0}, Literal::integer, false}; }

/// Binary operators, lowest precedence first. Operators with equal strength are left-associative.
struct Operator {
  std::string_view text;
  int strength;
};
constexpr std::array<Operator, 18> operators{{
    {"||", 1},
    {"&&", 2},
    {"|", 3},
    {"^", 4},
    {"&", 5},
    {"==", 6},
    {"!=", 6},
    {"<", 7},
    {"<=", 7},
    {">", 7},
    {">=", 7},
    {"<<", 8},
    {">>", 8},
    {"+", 9},
    {"-", 9},
    {"*", 10},
    {"/", 10},
    {"%", 10},
}};

int strength_of(const Token& token) {
  if (token.kind != TokenKind::punctuation) return 0;
  for (const Operator& op : operators)
    if (op.text == token.text) return op.strength;
  return 0;
}

std::uint64_t shifted(const Constant& a, const Constant& b, bool left) {
  if (b.bits >= 64) return left || a.is_unsigned || a.as_signed() >= 0 ? 0 : ~std::uint64_t{0};
  if (left) return a.bits << b.bits;
  return a.is_unsigned ? a.bits >> b.bits : static_cast<std::uint64_t>(a.as_signed() >> b.bits);
}

std::uint64_t divided(const Token& op, const Constant& a, const Constant& b, bool is_unsigned) {
  if (b.bits == 0) fail(op, "division by zero in a constant expression");
  const bool quotient = op.text == "/";
  if (is_unsigned) return quotient ? a.bits / b.bits : a.bits % b.bits;
  if (b.as_signed() == -1) return quotient ? 0 - a.bits : 0;  // INT64_MIN / -1 overflows in C++
  return static_cast<std::uint64_t>(quotient ? a.as_signed() / b.as_signed() : a.as_signed() % b.as_signed());
}

bool less(const Constant& a, const Constant& b, bool is_unsigned) {
  return is_unsigned ? a.bits < b.bits : a.as_signed() < b.as_signed();
}

Constant combined(const Token& op, const Constant& a, const Constant& b) {
  if (a.literal != Literal::integer || b.literal != Literal::integer)
    fail(op, "operators in constant expressions take integers; write a floating-point value as a single number");
  const bool is_unsigned = a.is_unsigned || b.is_unsigned;
  const std::string_view text = op.text;
  if (text == "||") return bool_constant(a.bits != 0 || b.bits != 0);
  if (text == "&&") return bool_constant(a.bits != 0 && b.bits != 0);
  if (text == "==") return bool_constant(a.bits == b.bits);
  if (text == "!=") return bool_constant(a.bits != b.bits);
  if (text == "<") return bool_constant(less(a, b, is_unsigned));
  if (text == "<=") return bool_constant(!less(b, a, is_unsigned));
  if (text == ">") return bool_constant(less(b, a, is_unsigned));
  if (text == ">=") return bool_constant(!less(a, b, is_unsigned));
  if (text == "<<" || text == ">>") return {shifted(a, b, text == "<<"), Literal::integer, a.is_unsigned};
  const auto made = [&](std::uint64_t bits) { return Constant{bits, Literal::integer, is_unsigned}; };
  if (text == "|") return made(a.bits | b.bits);
  if (text == "^") return made(a.bits ^ b.bits);
  if (text == "&") return made(a.bits & b.bits);
  if (text == "+") return made(a.bits + b.bits);
  if (text == "-") return made(a.bits - b.bits);
  if (text == "*") return made(a.bits * b.bits);
  return made(divided(op, a, b, is_unsigned));
}

Constant negated(const Constant& a) {
  switch (a.literal) {
    case Literal::f32: return {a.bits ^ 0x80000000u, a.literal, false};
    case Literal::f64: return {a.bits ^ 0x8000000000000000u, a.literal, false};
    case Literal::integer: break;
  }
  return {0 - a.bits, a.literal, a.is_unsigned};
}

class ExpressionParser {
 public:
  explicit ExpressionParser(Lexer& in) : in_(in) {}

  Constant choice() {
    const Constant condition = binary(1);
    if (!in_.at("?")) return condition;
    const Nesting nesting(*this);
    const Token op = in_.next();
    const Constant yes = choice();
    in_.expect(":", "between the two values of `?`");
    const Constant no = choice();
    if (condition.literal != Literal::integer) fail(op, "the condition of `?` must be an integer");
    return condition.bits != 0 ? yes : no;
  }

 private:
  /// Limits the depth of the expression.
  class Nesting {
   public:
    explicit Nesting(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.depth_ > max_nesting)
        fail(parser_.in_.peek(), fmt::format("a constant expression is nested more than {} deep", max_nesting));
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ExpressionParser& parser_;
  };

  Constant binary(int weakest) {
    Constant left = unary();
    for (;;) {
      const int strength = strength_of(in_.peek());
      if (strength < weakest || strength == 0) return left;
      const Token op = in_.next();
      left = combined(op, left, binary(strength + 1));
    }
  }

  Constant unary() {
    const Nesting nesting(*this);
    if (in_.accept("+")) return unary();
    if (in_.accept("-")) return negated(unary());
    if (in_.at("!") || in_.at("~")) {
      const Token op = in_.next();
      const Constant a = unary();
      if (a.literal != Literal::integer) fail(op, "this operator takes an integer");
      return op.text == "!" ? bool_constant(a.bits == 0) : Constant{~a.bits, Literal::integer, a.is_unsigned};
    }
    if (in_.at("(")) return bracketed();
    if (in_.accept("WARP_SZ")) return {32, Literal::integer, false};
    const Token number = in_.expect(TokenKind::number, "a number");
    const auto value = read_number(number.text);
    if (!value) fail(number, "not a valid PTX number, or larger than 64 bits");
    return *value;
  }

  Constant bracketed() {
    in_.next();
    const bool to_unsigned = in_.at(".u64");
    if (to_unsigned || in_.at(".s64")) {
      in_.next();
      in_.expect(")", "after the type of a cast");
      Constant a = unary();
      a.is_unsigned = to_unsigned;
      return a;
    }
    const Constant a = choice();
    in_.expect(")", "after a constant expression");
    return a;
  }

  Lexer& in_;
  int depth_ = 0;
};

}  // namespace

std::optional<Constant> read_number(std::string_view text) {
  const auto prefixed = [&](char small, char large) {
    return text.size() > 2 && text[0] == '0' && (text[1] == small || text[1] == large);
  };
  if (prefixed('f', 'F')) return read_float_bits(text.substr(2), 8, Literal::f32);
  if (prefixed('d', 'D')) return read_float_bits(text.substr(2), 16, Literal::f64);
  const bool hexadecimal = prefixed('x', 'X');
  if (!hexadecimal && text.find_first_of(".eE") != std::string_view::npos) return read_decimal_float(text);

  const bool is_unsigned = text.ends_with('U') || text.ends_with('u');
  if (is_unsigned) text.remove_suffix(1);
  std::optional<std::uint64_t> value;
  if (hexadecimal)
    value = read_digits(text.substr(2), 16);
  else if (prefixed('b', 'B'))
    value = read_digits(text.substr(2), 2);
  else
    value = read_digits(text, text.size() > 1 && text[0] == '0' ? 8 : 10);
  if (!value) return std::nullopt;
  const bool large = *value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return Constant{*value, Literal::integer, is_unsigned || large};
}

bool begins_constant(const Token& token) {
  return token.kind == TokenKind::number || token.is("-") || token.is("+") || token.is("~") || token.is("!") ||
         token.is("(") || token.is("WARP_SZ");
}

Constant parse_constant(Lexer& in) { return ExpressionParser(in).choice(); }

std::uint64_t parse_count(Lexer& in, std::uint64_t limit, std::string_view what) {
  const Token number = in.peek();
  if (!begins_constant(number)) fail(number, fmt::format("expected {}", what));
  const Constant value = parse_constant(in);
  if (value.literal != Literal::integer || (!value.is_unsigned && value.as_signed() < 0) || value.bits > limit)
    fail(number, fmt::format("expected {} from 0 to {}", what, limit));
  return value.bits;
}

}  // namespace warpwalk::ptx

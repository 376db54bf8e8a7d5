#include <cmath>

#include <fmt/format.h>

#include "core/ops/expression/parsing.h"

namespace warpwalk::ops {
namespace {

using Kind = ExpressionNode::Kind;

/// None: beyond 64 bits.
std::optional<std::int64_t> whole_result(Kind kind, std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  const bool beyond = kind == Kind::add        ? __builtin_add_overflow(left, right, &result)
                      : kind == Kind::subtract ? __builtin_sub_overflow(left, right, &result)
                                               : __builtin_mul_overflow(left, right, &result);
  if (beyond) return {};
  return result;
}

Number checked(const ExpressionNode& node, std::optional<std::int64_t> whole) {
  if (!whole)
    fail(node.place, "the result does not fit a 64-bit integer", "write one of the numbers as a float: 2.0 for 2");
  return *whole;
}

/// left ** right of whole numbers, right at least 0. None: beyond 64 bits.
std::optional<std::int64_t> whole_power(std::int64_t left, std::int64_t right) {
  if (left == 0 || left == 1) return right == 0 ? 1 : left;
  if (left == -1) return right % 2 == 0 ? 1 : -1;
  std::optional<std::int64_t> result = 1;  // of another base at most 63 steps fit
  for (; right > 0 && result; --right) result = whole_result(Kind::multiply, *result, left);
  return result;
}

Number power(const ExpressionNode& node, const Number& left, const Number& right) {
  const auto* const a = std::get_if<std::int64_t>(&left);
  const auto* const b = std::get_if<std::int64_t>(&right);
  if (a != nullptr && b != nullptr && *b >= 0) return checked(node, whole_power(*a, *b));
  const double base = as_double(left), exponent = as_double(right);
  if (base == 0 && exponent < 0)
    fail(node.place, "0 to a negative power divides by zero", "put a number other than 0 before **");
  if (base < 0 && std::isfinite(exponent) && std::trunc(exponent) != exponent)
    fail(node.place, "a negative number to a fractional power is complex", "complex numbers are not supported");
  const double result = std::pow(base, exponent);
  if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent))
    fail(node.place, "the power is out of range for a double", "the largest double is 1.7e308");
  return result;
}

}  // namespace

double as_double(const Number& number) {
  return std::visit([](const auto value) { return static_cast<double>(value); }, number);
}

Number folded(const ExpressionNode& node, const Number& only) {
  if (node.kind == Kind::positive) return only;
  if (const auto* const whole = std::get_if<std::int64_t>(&only))
    return checked(node, whole_result(Kind::subtract, 0, *whole));
  return -std::get<double>(only);
}

Number folded(const ExpressionNode& node, const Number& left, const Number& right) {
  if (node.kind == Kind::matmul) fail(node.place, "@ multiplies matrices, not numbers", "write * for numbers");
  if (node.kind == Kind::power) return power(node, left, right);
  if (node.kind == Kind::divide) {
    if (as_double(right) == 0) fail(node.place, "division by zero", "put a number other than 0 after /");
    return as_double(left) / as_double(right);
  }
  if (const auto* const a = std::get_if<std::int64_t>(&left), * const b = std::get_if<std::int64_t>(&right); a && b)
    return checked(node, whole_result(node.kind, *a, *b));
  const double a = as_double(left), b = as_double(right);
  return node.kind == Kind::add ? a + b : node.kind == Kind::subtract ? a - b : a * b;
}

}  // namespace warpwalk::ops

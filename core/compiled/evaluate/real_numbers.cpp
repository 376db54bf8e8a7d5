#include "core/compiled/evaluate/real_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace warpwalk::compiled {
namespace {

/// Rounds to nearest even with a number of fraction bits, down to subnormal numbers; beyond the largest: infinity.
double rounded_to(double value, int fraction_bits, int min_exponent, double largest) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), min_exponent);
  const double rounded =
      std::ldexp(std::nearbyint(std::ldexp(value, fraction_bits - exponent)), exponent - fraction_bits);
  return std::abs(rounded) > largest ? std::copysign(std::numeric_limits<double>::infinity(), value) : rounded;
}

double larger(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : std::max(a, b); }
double smaller(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : std::min(a, b); }

struct NamedFunction {
  std::string_view name;
  RealFunction function;
};

constexpr NamedFunction operations[] = {
    {"arith.addf", [](double a, double b, double) { return a + b; }},
    {"arith.subf", [](double a, double b, double) { return a - b; }},
    {"arith.mulf", [](double a, double b, double) { return a * b; }},
    {"arith.divf", [](double a, double b, double) { return a / b; }},
    {"tt.precise_divf", [](double a, double b, double) { return a / b; }},
    {"arith.remf", [](double a, double b, double) { return std::fmod(a, b); }},
    {"arith.negf", [](double a, double, double) { return -a; }},
    {"arith.maxnumf", [](double a, double b, double) { return larger(a, b); }},
    {"arith.minnumf", [](double a, double b, double) { return smaller(a, b); }},
    {"arith.maximumf",
     [](double a, double b, double) { return std::isnan(a) || std::isnan(b) ? a + b : larger(a, b); }},
    {"arith.minimumf",
     [](double a, double b, double) { return std::isnan(a) || std::isnan(b) ? a + b : smaller(a, b); }},
    {"tt.clampf", [](double a, double low, double high) { return smaller(larger(a, low), high); }},
    {"math.absf", [](double a, double, double) { return std::abs(a); }},
    {"math.ceil", [](double a, double, double) { return std::ceil(a); }},
    {"math.cos", [](double a, double, double) { return std::cos(a); }},
    {"math.erf", [](double a, double, double) { return std::erf(a); }},
    {"math.exp", [](double a, double, double) { return std::exp(a); }},
    {"math.exp2", [](double a, double, double) { return std::exp2(a); }},
    {"math.floor", [](double a, double, double) { return std::floor(a); }},
    {"math.fma", [](double a, double b, double c) { return std::fma(a, b, c); }},
    {"math.log", [](double a, double, double) { return std::log(a); }},
    {"math.log2", [](double a, double, double) { return std::log2(a); }},
    {"math.rsqrt", [](double a, double, double) { return 1 / std::sqrt(a); }},
    {"math.sin", [](double a, double, double) { return std::sin(a); }},
    {"math.sqrt", [](double a, double, double) { return std::sqrt(a); }},
    {"tt.precise_sqrt", [](double a, double, double) { return std::sqrt(a); }},
    {"math.tanh", [](double a, double, double) { return std::tanh(a); }},
};

/// Of libdevice, without "__nv_" and the "f" of single precision.
constexpr NamedFunction library[] = {
    {"acos", [](double a, double, double) { return std::acos(a); }},
    {"asin", [](double a, double, double) { return std::asin(a); }},
    {"atan", [](double a, double, double) { return std::atan(a); }},
    {"atan2", [](double a, double b, double) { return std::atan2(a, b); }},
    {"ceil", [](double a, double, double) { return std::ceil(a); }},
    {"cos", [](double a, double, double) { return std::cos(a); }},
    {"cosh", [](double a, double, double) { return std::cosh(a); }},
    {"erf", [](double a, double, double) { return std::erf(a); }},
    {"erfc", [](double a, double, double) { return std::erfc(a); }},
    {"exp", [](double a, double, double) { return std::exp(a); }},
    {"exp2", [](double a, double, double) { return std::exp2(a); }},
    {"expm1", [](double a, double, double) { return std::expm1(a); }},
    {"fabs", [](double a, double, double) { return std::abs(a); }},
    {"floor", [](double a, double, double) { return std::floor(a); }},
    {"fma", [](double a, double b, double c) { return std::fma(a, b, c); }},
    {"fmod", [](double a, double b, double) { return std::fmod(a, b); }},
    {"log", [](double a, double, double) { return std::log(a); }},
    {"log10", [](double a, double, double) { return std::log10(a); }},
    {"log1p", [](double a, double, double) { return std::log1p(a); }},
    {"log2", [](double a, double, double) { return std::log2(a); }},
    {"pow", [](double a, double b, double) { return std::pow(a, b); }},
    {"rint", [](double a, double, double) { return std::nearbyint(a); }},
    {"nearbyint", [](double a, double, double) { return std::nearbyint(a); }},
    {"round", [](double a, double, double) { return std::round(a); }},
    {"rsqrt", [](double a, double, double) { return 1 / std::sqrt(a); }},
    {"sin", [](double a, double, double) { return std::sin(a); }},
    {"sinh", [](double a, double, double) { return std::sinh(a); }},
    {"sqrt", [](double a, double, double) { return std::sqrt(a); }},
    {"tan", [](double a, double, double) { return std::tan(a); }},
    {"tanh", [](double a, double, double) { return std::tanh(a); }},
    {"trunc", [](double a, double, double) { return std::trunc(a); }},
};

}  // namespace

double rounded_real(std::string_view type, double value) {
  if (type == "f32") return static_cast<double>(static_cast<float>(value));
  if (type == "f16") return rounded_to(value, 10, -14, 65504);
  if (type == "bf16") return rounded_to(value, 7, -126, std::ldexp(255, 120));
  if (type == "f8E4M3FN") return rounded_to(value, 3, -6, 448);
  if (type == "f8E5M2") return rounded_to(value, 2, -14, 57344);
  return value;
}

RealFunction real_function(std::string_view op) {
  const auto at = std::ranges::find(operations, op, &NamedFunction::name);
  return at == std::end(operations) ? nullptr : at->function;
}

RealFunction library_function(std::string_view symbol) {
  constexpr std::string_view prefix = "__nv_";
  if (!symbol.starts_with(prefix)) return nullptr;
  symbol.remove_prefix(prefix.size());
  for (const std::string_view name : {symbol, symbol.ends_with('f') ? symbol.substr(0, symbol.size() - 1) : symbol})
    if (const auto at = std::ranges::find(library, name, &NamedFunction::name); at != std::end(library))
      return at->function;
  return nullptr;
}

std::optional<bool> compared_reals(std::string_view predicate, double a, double b) {
  if (predicate == "false" || predicate == "true") return predicate == "true";
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (predicate == "ord") return !unordered;
  if (predicate == "uno") return unordered;
  if (predicate.size() != 3 || (predicate[0] != 'o' && predicate[0] != 'u')) return {};
  if (unordered) return predicate[0] == 'u';
  predicate.remove_prefix(1);
  if (predicate == "eq") return a == b;
  if (predicate == "ne") return a != b;
  if (predicate == "gt") return a > b;
  if (predicate == "ge") return a >= b;
  if (predicate == "lt") return a < b;
  if (predicate == "le") return a <= b;
  return {};
}

}  // namespace warpwalk::compiled

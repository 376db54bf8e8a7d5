#include "core/sass/number_text.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace warpwalk::sass {
namespace {

constexpr double scientific_from = 1e9;
constexpr int digits = 20;
constexpr std::uint64_t quiet_bit = std::uint64_t{1} << 51;

}  // namespace

std::string hex_text_unsigned(std::uint64_t value) {
  std::array<char, 16> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value, 16);
  return "0x" + std::string(text.data(), result.ptr);
}

std::string hex_text(std::int64_t value) {
  if (value >= 0) return hex_text_unsigned(static_cast<std::uint64_t>(value));
  return "-" + hex_text_unsigned(~static_cast<std::uint64_t>(value) + 1);
}

std::string real_text(double value) {
  const std::string sign = std::signbit(value) ? "-" : "+";
  if (std::isnan(value)) {
    const bool quiet = (std::bit_cast<std::uint64_t>(value) & quiet_bit) != 0;
    return sign + (quiet ? "QNAN " : "SNAN ");
  }
  if (std::isinf(value)) return sign + "INF ";
  if (value == 0) return std::signbit(value) ? "-0.0 " : "0";
  std::array<char, 512> text{};
  const auto format = std::abs(value) < scientific_from ? std::chars_format::general : std::chars_format::scientific;
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value, format, digits);
  return {text.data(), result.ptr};
}

double f16_value(std::uint16_t bits) {
  constexpr int bias = 15, fraction_bits = 10;
  const int exponent = bits >> fraction_bits & 0x1f;
  const int fraction = bits & 0x3ff;
  double magnitude = 0;
  if (exponent == 0x1f)
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, 1 - bias - fraction_bits);
  else
    magnitude = std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return std::copysign(magnitude, (bits & 0x8000) != 0 ? -1.0 : 1.0);
}

double bf16_value(std::uint16_t bits) { return f32_value(std::uint32_t{bits} << 16); }

double f32_value(std::uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  if (!std::isnan(value)) return value;
  return std::copysign(std::numeric_limits<double>::quiet_NaN(), (bits & 0x80000000u) != 0 ? -1.0 : 1.0);
}

double f64_value(std::uint32_t bits) { return std::bit_cast<double>(std::uint64_t{bits} << 32); }

}  // namespace warpwalk::sass

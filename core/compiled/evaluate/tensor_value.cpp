#include "core/compiled/evaluate/tensor_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace warpwalk::compiled {
namespace {

/// A floating-point format of at most 16 bits.
struct SmallFloat {
  std::string_view name;
  int exponent_bits, fraction_bits;
  bool infinity;  ///< false: the largest exponent has numbers, and a NaN as its last
};
constexpr SmallFloat small_floats[] = {
    {"f16", 5, 10, true}, {"bf16", 8, 7, true}, {"f8E5M2", 5, 2, true}, {"f8E4M3FN", 4, 3, false}};

const SmallFloat* small_float(std::string_view type) {
  for (const SmallFloat& format : small_floats)
    if (format.name == type) return &format;
  return nullptr;
}

}  // namespace

int mlir_bits(std::string_view type) {
  if (type.starts_with("!tt.ptr") || type == "index") return 64;
  if (type == "bf16") return 16;
  if (type.starts_with("f8")) return 8;
  if (type.size() < 2 || type.size() > 3 || (type[0] != 'i' && type[0] != 'f')) return 0;
  int bits = 0;
  for (const char c : type.substr(1)) {
    if (c < '0' || c > '9') return 0;
    bits = bits * 10 + (c - '0');
  }
  return bits <= 64 ? bits : 0;
}

std::string_view mlir_pointee(std::string_view type) {
  constexpr std::string_view pointer = "!tt.ptr<";
  if (!type.starts_with(pointer)) return {};
  type.remove_prefix(pointer.size());
  if (type.starts_with(pointer)) return type.substr(0, type.rfind('>'));
  return type.substr(0, type.find_first_of(",>"));
}

bool mlir_is_readable_float(std::string_view type) {
  return type == "f64" || type == "f32" || small_float(type) != nullptr;
}

double read_real(std::string_view type, std::uint64_t bytes) {
  if (type == "f64") return std::bit_cast<double>(bytes);
  if (type == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(bytes));
  const SmallFloat* const format = small_float(type);
  if (format == nullptr) return 0;
  const int top = (1 << format->exponent_bits) - 1, bias = top / 2;
  const auto exponent = static_cast<int>(bytes >> format->fraction_bits) & top;
  const auto fraction = static_cast<int>(bytes & ((std::uint64_t{1} << format->fraction_bits) - 1));
  const bool last = fraction == (1 << format->fraction_bits) - 1;
  double value = 0;
  if (exponent == top && format->infinity)
    value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == top && last)
    value = std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(fraction, 1 - bias - format->fraction_bits);
  else
    value = std::ldexp((1 << format->fraction_bits) + fraction, exponent - bias - format->fraction_bits);
  return (bytes >> (format->exponent_bits + format->fraction_bits) & 1) != 0 ? -value : value;
}

std::uint64_t real_bits(std::string_view type, double value) {
  if (type == "f64") return std::bit_cast<std::uint64_t>(value);
  if (type == "f32") return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const SmallFloat* const format = small_float(type);
  if (format == nullptr) return 0;
  const std::uint64_t sign =
      std::signbit(value) ? std::uint64_t{1} << (format->exponent_bits + format->fraction_bits) : 0;
  const std::uint64_t top = (std::uint64_t{1} << format->exponent_bits) - 1;
  if (std::isnan(value)) return sign | ((std::uint64_t{1} << (format->exponent_bits + format->fraction_bits)) - 1);
  if (std::isinf(value))
    return sign | (format->infinity ? top << format->fraction_bits : (top << format->fraction_bits) | 6);
  const int bias = static_cast<int>(top / 2);
  const double size = std::abs(value);
  const int exponent = size == 0 ? 1 - bias : std::max(std::ilogb(size), 1 - bias);
  // A subnormal number lacks the leading one, and so has the exponent 0.
  const auto fraction = static_cast<std::uint64_t>(std::ldexp(size, format->fraction_bits - exponent));
  return sign | ((static_cast<std::uint64_t>(exponent + bias - 1) << format->fraction_bits) + fraction);
}

std::int64_t read_number(int bits, std::uint64_t bytes) {
  if (bits == 1) return static_cast<std::int64_t>(bytes & 1);
  if (bits >= 64 || bits <= 0) return static_cast<std::int64_t>(bytes);
  return static_cast<std::int64_t>(bytes << (64 - bits)) >> (64 - bits);
}

}  // namespace warpwalk::compiled

#include "core/compiled/evaluate/tensor_value.h"

#include <bit>
#include <cmath>
#include <limits>

namespace warpwalk::compiled {

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
  return type == "f64" || type == "f32" || type == "f16" || type == "bf16";
}

double read_real(std::string_view type, std::uint64_t bytes) {
  if (type == "f64") return std::bit_cast<double>(bytes);
  if (type == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(bytes));
  if (type == "bf16") return std::bit_cast<float>(static_cast<std::uint32_t>(bytes << 16));
  const auto half = static_cast<int>(bytes & 0xffff);
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  double value = exponent == 31  ? fraction == 0 ? std::numeric_limits<double>::infinity()
                                                 : std::numeric_limits<double>::quiet_NaN()
                  : exponent == 0 ? std::ldexp(fraction, -24)
                                 : std::ldexp(1024 + fraction, exponent - 25);
  return (half & 0x8000) != 0 ? -value : value;
}

std::int64_t read_number(int bits, std::uint64_t bytes) {
  if (bits == 1) return static_cast<std::int64_t>(bytes & 1);
  if (bits >= 64 || bits <= 0) return static_cast<std::int64_t>(bytes);
  return static_cast<std::int64_t>(bytes << (64 - bits)) >> (64 - bits);
}

}  // namespace warpwalk::compiled

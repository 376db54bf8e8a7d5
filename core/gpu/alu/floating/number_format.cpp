#include "core/gpu/alu/floating/number_format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/gpu/alu/floating/floats.h"

namespace warpwalk::gpu::alu {
namespace {

constexpr std::array<NumberFormat, 9> number_formats_table = {{{"FP64", "FP64", format_f64},
                                                               {"FP32", "FP32", format_f32},
                                                               {"TF32", "TF32", format_tf32},
                                                               {"FP16", "FP16", format_f16},
                                                               {"BF16", "BF16", format_bf16},
                                                               {"FP8 E4M3", "E4M3", format_e4m3, 0, true},
                                                               {"FP8 E5M2", "E5M2", format_e5m2, 0, true},
                                                               {"FP4 E2M1", "FP4", format_e2m1, 0, true},
                                                               {"INT8", "INT8", {}, 8, true}}};

}  // namespace

std::span<const NumberFormat> number_formats() { return number_formats_table; }

const NumberFormat& number_format(std::string_view name) {
  return *std::ranges::find(number_formats_table, name, &NumberFormat::name);
}

NumberKind kind_of(const NumberFormat& format, u64 bits) {
  bits &= format.patterns_mask();
  if (format.integer()) return bits == 0 ? NumberKind::zero : NumberKind::normal;
  const Number number = decompose(format.layout, bits);
  if (number.kind == Number::Kind::nan) return NumberKind::nan;
  if (number.kind == Number::Kind::infinite) return NumberKind::infinite;
  if (number.mantissa == 0) return NumberKind::zero;
  return number.mantissa >> format.layout.fraction_bits == 0 ? NumberKind::subnormal : NumberKind::normal;
}

double value_of(const NumberFormat& format, u64 bits) {
  bits &= format.patterns_mask();
  if (format.integer()) {
    const s64 half = s64{1} << (format.integer_bits - 1);
    const auto value = static_cast<s64>(bits);
    return static_cast<double>(value >= half ? value - 2 * half : value);
  }
  const Number number = decompose(format.layout, bits);
  if (number.kind == Number::Kind::nan) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = number.kind == Number::Kind::infinite
                               ? std::numeric_limits<double>::infinity()
                               : std::ldexp(static_cast<double>(number.mantissa), number.exponent);
  return number.negative ? -magnitude : magnitude;
}

u64 nearest(const NumberFormat& format, double value) {
  const Number number = decompose(format_f64, bits_of(value));
  if (!format.integer())
    return assemble(format.layout, number, ptx::Rounding::rn,
                    format.saturates ? Overflow::largest : Overflow::by_rounding);
  const s64 half = s64{1} << (format.integer_bits - 1);
  return static_cast<u64>(clamped_signed(number, ptx::Rounding::rni, -half, half - 1)) & format.patterns_mask();
}

double spacing_at(const NumberFormat& format, u64 bits) {
  if (format.integer()) return 1;
  return std::ldexp(1.0, decompose(format.layout, bits).exponent);
}

double largest(const NumberFormat& format) {
  return value_of(format, format.integer() ? (u64{1} << (format.integer_bits - 1)) - 1 : format.layout.largest());
}

double smallest_normal(const NumberFormat& format) {
  return format.integer() ? 1 : value_of(format, u64{1} << format.layout.fraction_bits);
}

double smallest(const NumberFormat& format) { return value_of(format, 1); }

}  // namespace warpwalk::gpu::alu

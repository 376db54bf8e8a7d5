#include "core/gpu/alu/mma_float.h"

#include <algorithm>

namespace warpwalk::gpu::alu {
namespace {

/// The sum where a factor or c is infinite or NaN.
Number special_sum(int k, const Line& a, const Line& b, const Number& c) {
  bool nan = c.kind == Number::Kind::nan;
  bool plus = c.kind == Number::Kind::infinite && !c.negative;
  bool minus = c.kind == Number::Kind::infinite && c.negative;
  for (int i = 0; i < k; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (a.special[at] == Special::none && b.special[at] == Special::none) continue;
    const s32 x = a.elements[at].significand;
    const s32 y = b.elements[at].significand;
    if (a.special[at] == Special::nan || b.special[at] == Special::nan || x == 0 || y == 0)
      nan = true;
    else
      ((x < 0) != (y < 0) ? minus : plus) = true;
  }
  Number sum;
  sum.kind = nan || (plus && minus) ? Number::Kind::nan : Number::Kind::infinite;
  sum.negative = minus;
  return sum;
}

/// magnitude / 2^shift, cut off.
u64 aligned(u64 magnitude, int shift) { return shift > 63 ? 0 : magnitude >> shift; }

}  // namespace

void Line::set(int at, const FloatFormat& format, u64 bits) {
  const auto i = static_cast<std::size_t>(at);
  const Number number = taken_apart(format, bits);
  const auto magnitude = static_cast<s32>(number.mantissa);
  special[i] = number.kind == Number::Kind::finite     ? Special::none
               : number.kind == Number::Kind::infinite ? Special::infinite
                                                       : Special::nan;
  has_special = has_special || special[i] != Special::none;
  elements[i].significand = number.negative ? -magnitude : magnitude;
  elements[i].exponent = magnitude == 0 ? exponent_of_zero : number.exponent + format.fraction_bits;
}

u32 dot(const Accumulator& accumulator, int product_bits, int k, const Line& a, const Line& b,
        const FloatFormat& c_format, u32 c, const FloatFormat& d_format) {
  const ptx::Rounding rounding =
      d_format.fraction_bits == format_f32.fraction_bits ? ptx::Rounding::rz : ptx::Rounding::rn;
  const Number addend = taken_apart(c_format, c);
  if (a.has_special || b.has_special || addend.kind != Number::Kind::finite) {
    const bool special =
        addend.kind != Number::Kind::finite ||
        std::any_of(a.special.begin(), a.special.begin() + k, [](Special s) { return s != Special::none; }) ||
        std::any_of(b.special.begin(), b.special.begin() + k, [](Special s) { return s != Special::none; });
    if (special) return static_cast<u32>(put_together(d_format, special_sum(k, a, b, addend), rounding));
  }

  std::array<s32, largest_k> exponents;
  s32 largest = addend.mantissa == 0 ? exponent_of_zero : addend.exponent + c_format.fraction_bits;
  const s32 c_exponent = largest;
  for (int i = 0; i < k; ++i) {
    const auto at = static_cast<std::size_t>(i);
    exponents[at] = a.elements[at].exponent + b.elements[at].exponent;
    largest = std::max(largest, exponents[at]);
  }
  largest = std::max(largest, accumulator.least_exponent);

  // Terms in units of 2^(largest - fraction_bits).
  const int widening = accumulator.fraction_bits - product_bits;
  s64 sum = 0;
  for (int i = 0; i < k; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const s64 product = static_cast<s64>(a.elements[at].significand) * b.elements[at].significand;
    const u64 magnitude = static_cast<u64>(product < 0 ? -product : product) << std::max(widening, 0);
    const auto part = static_cast<s64>(aligned(magnitude, largest - exponents[at] + std::max(-widening, 0)));
    sum += product < 0 ? -part : part;
  }
  const int c_widening = accumulator.fraction_bits - c_format.fraction_bits;
  const u64 c_magnitude = addend.mantissa << std::max(c_widening, 0);
  const auto c_part = static_cast<s64>(aligned(c_magnitude, largest - c_exponent + std::max(-c_widening, 0)));
  sum += addend.negative ? -c_part : c_part;

  Number total;
  total.negative = sum < 0;
  total.mantissa = static_cast<u64>(sum < 0 ? -sum : sum);
  total.exponent = largest - accumulator.fraction_bits;
  const u64 bits = put_together(d_format, total, rounding, Overflow::infinity);
  return static_cast<u32>((bits & ~d_format.sign()) == 0 ? 0 : bits);
}

}  // namespace warpwalk::gpu::alu

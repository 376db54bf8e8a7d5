#include "core/gpu/alu/floating/soft_float.h"

#include <algorithm>

namespace warpwalk::gpu::alu {
namespace {

using ptx::Rounding;

/// True if a magnitude between two representable values is rounded to the upper one.
bool rounds_up(Rounding rounding, bool negative, bool odd, bool half, bool rest) {
  switch (rounding) {
    case Rounding::rn:
    case Rounding::rni: return half && (rest || odd);
    case Rounding::rna: return half;
    case Rounding::rm:
    case Rounding::rmi: return negative && (half || rest);
    case Rounding::rp:
    case Rounding::rpi: return !negative && (half || rest);
    default: return false;
  }
}

/// mantissa / 2^shift, rounded; shift is at least 1.
u64 shifted(u64 mantissa, int shift, Rounding rounding, bool negative) {
  if (shift > 65) shift = 65;  // larger shifts give the same result
  const u64 kept = shift > 63 ? 0 : mantissa >> shift;
  const bool half = shift > 64 ? false : (mantissa >> (shift - 1) & 1) != 0;
  const u64 below = shift > 64 ? mantissa : mantissa & ((u64{1} << (shift - 1)) - 1);
  return kept + (rounds_up(rounding, negative, (kept & 1) != 0, half, below != 0) ? 1 : 0);
}

/// Returns |number| as an integer, at most `ceiling`.
u64 magnitude_of(const Number& number, Rounding rounding, u64 ceiling) {
  if (number.kind == Number::Kind::nan || number.mantissa == 0) return 0;
  if (number.exponent < 0)
    return std::min(shifted(number.mantissa, -number.exponent, rounding, number.negative), ceiling);
  if (number.exponent > std::countl_zero(number.mantissa)) return ceiling;
  return std::min(number.mantissa << number.exponent, ceiling);
}

}  // namespace

Number decompose(const FloatFormat& format, u64 bits) {
  Number number;
  number.negative = (bits & format.sign()) != 0;
  const u64 fraction = bits & ((u64{1} << format.fraction_bits) - 1);
  const auto exponent = static_cast<int>((bits & (format.sign() - 1)) >> format.fraction_bits);
  const bool highest = exponent == (1 << format.exponent_bits) - 1;
  if (highest && format.has_infinity) {
    number.kind = fraction == 0 ? Number::Kind::infinite : Number::Kind::nan;
    number.payload = fraction << (64 - format.fraction_bits);
    number.mantissa = 1;
    number.exponent = 1 << 16;  // clamped like a number that is too large
    return number;
  }
  if (highest && format.has_nan && (bits & format.nan) == format.nan) {
    number.kind = Number::Kind::nan;
    return number;
  }
  number.mantissa = exponent == 0 ? fraction : fraction | u64{1} << format.fraction_bits;
  number.exponent = std::max(exponent, 1) - format.bias() - format.fraction_bits;
  return number;
}

Number number_of(s64 value) {
  Number number;
  number.negative = value < 0;
  number.mantissa = value < 0 ? u64{0} - static_cast<u64>(value) : static_cast<u64>(value);
  return number;
}

Number number_of(u64 value) {
  Number number;
  number.mantissa = value;
  return number;
}

u64 nan_with_payload(const FloatFormat& format, const Number& number) {
  const u64 quiet = u64{1} << (format.fraction_bits - 1);
  return (number.negative ? format.sign() : 0) | format.infinity() | quiet |
         number.payload >> (64 - format.fraction_bits);
}

u64 assemble(const FloatFormat& format, const Number& number, Rounding rounding, Overflow overflow) {
  if (number.kind == Number::Kind::nan) return format.nan;
  const u64 sign = number.negative ? format.sign() : 0;
  if (number.kind == Number::Kind::infinite) {
    if (overflow == Overflow::largest) return sign | format.largest();
    return format.has_infinity ? sign | format.infinity() : format.nan | sign;
  }
  if (number.mantissa == 0) return sign;

  const int lowest = 1 - format.bias() - format.fraction_bits;  // exponent of the last bit of a subnormal
  const int leading = number.exponent + static_cast<int>(std::bit_width(number.mantissa)) - 1;
  const int last = std::max(leading - format.fraction_bits, lowest);
  const int shift = last - number.exponent;
  const u64 kept = shift > 0 ? shifted(number.mantissa, shift, rounding, number.negative) : number.mantissa << -shift;
  // The hidden bit, and a carry from rounding, add one to the exponent.
  const int steps = std::min(last - lowest, 1 << format.exponent_bits);
  const u64 bits = (static_cast<u64>(steps) << format.fraction_bits) + kept;
  if (bits <= format.largest()) return sign | bits;
  if (overflow == Overflow::largest) return sign | format.largest();
  const bool to_zero = rounding == Rounding::rz || (rounding == Rounding::rm && !number.negative) ||
                       (rounding == Rounding::rp && number.negative);
  if (to_zero && overflow == Overflow::by_rounding) return sign | format.largest();
  return format.has_infinity ? sign | format.infinity() : format.nan | sign;
}

u64 clamped_unsigned(const Number& number, Rounding rounding, u64 high) {
  const u64 magnitude = magnitude_of(number, rounding, high);
  return number.negative ? 0 : magnitude;
}

s64 clamped_signed(const Number& number, Rounding rounding, s64 low, s64 high) {
  const u64 ceiling = number.negative ? u64{0} - static_cast<u64>(low) : static_cast<u64>(high);
  const u64 magnitude = magnitude_of(number, rounding, ceiling);
  return static_cast<s64>(number.negative ? u64{0} - magnitude : magnitude);
}

Number integral(const Number& number, Rounding rounding) {
  if (number.kind != Number::Kind::finite || number.exponent >= 0 || number.mantissa == 0) return number;
  Number result = number;
  result.mantissa = shifted(number.mantissa, -number.exponent, rounding, number.negative);
  result.exponent = 0;
  return result;
}

}  // namespace warpwalk::gpu::alu

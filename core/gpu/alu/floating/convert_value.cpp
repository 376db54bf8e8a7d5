#include "core/gpu/alu/floating/convert.h"

namespace warpwalk::gpu::alu {
namespace {

using ptx::Rounding;
using ptx::Type;

u64 low_bits(u64 bits, int count) { return count >= 64 ? bits : bits & ((u64{1} << count) - 1); }

/// The low `count` bits of a register as a signed value.
s64 extended(u64 bits, int count) {
  const u64 sign = u64{1} << (count - 1);
  return static_cast<s64>((low_bits(bits, count) ^ sign) - sign);
}

Number read(const Conversion& conversion, u64 bits) {
  if (is_integer(conversion.from)) {
    const int count = 8 * ptx::bytes_of(conversion.from);
    return ptx::is_signed(conversion.from) ? number_of(extended(bits, count)) : number_of(low_bits(bits, count));
  }
  const FloatFormat& format = *format_of(conversion.from);
  const u64 value = low_bits(bits, 1 + format.exponent_bits + format.fraction_bits);
  Number number = decompose(format, value);
  const bool subnormal = (value & format.infinity()) == 0;
  // .ftz does not flush an f32 that is converted to f16 (observed on an H200).
  if (conversion.ftz && conversion.from == Type::f32 && conversion.to != Type::f16 && subnormal) number.mantissa = 0;
  return number;
}

/// NaN from f64, or to a 64-bit type, gives the bits of the lowest signed number; otherwise it gives 0 (PTX ISA,
/// "cvt").
u64 nan_to_integer(const Conversion& conversion) {
  const int bytes = ptx::bytes_of(conversion.to);
  return conversion.from == Type::f64 || bytes == 8 ? u64{1} << (8 * bytes - 1) : 0;
}

u64 to_integer(const Conversion& conversion, const Number& number) {
  const int count = 8 * ptx::bytes_of(conversion.to);
  const bool is_signed = ptx::is_signed(conversion.to);
  u64 bits = 0;
  if (number.kind == Number::Kind::nan) {
    bits = nan_to_integer(conversion);
  } else if (is_integer(conversion.from) && !conversion.sat) {
    bits = number.negative ? u64{0} - number.mantissa : number.mantissa;
  } else if (is_signed) {
    const s64 high = static_cast<s64>(low_bits(~u64{0}, count - 1));
    bits = static_cast<u64>(clamped_signed(number, conversion.rounding, -high - 1, high));
  } else {
    bits = clamped_unsigned(number, conversion.rounding, low_bits(~u64{0}, count));
  }
  return is_signed ? static_cast<u64>(extended(bits, count)) : low_bits(bits, count);
}

/// .sat: clamps to [0, 1]; NaN becomes 0.
Number saturated_number(const Number& number) {
  Number result;
  if (number.kind == Number::Kind::nan || number.negative) return result;
  const bool at_least_one =
      number.kind == Number::Kind::infinite ||
      (number.mantissa != 0 && number.exponent + static_cast<int>(std::bit_width(number.mantissa)) > 0);
  if (!at_least_one) return number;
  result.mantissa = 1;
  return result;
}

/// The NaN of a conversion between floats, as observed on an H200: f64 keeps the payload, tf32 drops the bits that it
/// lacks, other types return their own NaN.
u64 nan_of(const Conversion& conversion, const Number& number) {
  const bool flushes = conversion.ftz && conversion.from == Type::f32;
  if (conversion.to == Type::tf32) {
    if (conversion.rounding != Rounding::rna) return format_f32.nan & ~u64{0x1fff};
    const u64 cut = (number.negative ? format_f32.sign() : 0) | format_f32.infinity() | number.payload >> 54 << 13;
    return conversion.satfinite ? cut - 0x2000 : cut;
  }
  if (conversion.to == Type::f64 && flushes) return nan_with_payload(format_f64, {.payload = 0xfffffe0000000000U});
  if (conversion.from == Type::f64 || conversion.to == Type::f64)
    return nan_with_payload(*format_of(conversion.to), number);
  return format_of(conversion.to)->nan;
}

/// True if .ftz flushes the number to zero: below the smallest normal f32 after rounding to 24 bits (see ftz.h).
bool is_tiny(const Number& number, Rounding rounding) {
  if (number.kind != Number::Kind::finite) return false;
  constexpr int room = 60;
  Number larger = number;
  larger.exponent += room;
  const u64 bits = assemble(format_f32, larger, rounding) & ~format_f32.sign();
  return bits < static_cast<u64>(1 + room) << format_f32.fraction_bits;
}

u64 to_float(const Conversion& conversion, Number number) {
  if (is_integral(conversion.rounding)) number = integral(number, conversion.rounding);
  if (conversion.sat) number = saturated_number(number);
  if (number.kind == Number::Kind::nan) return nan_of(conversion, number);
  if (conversion.relu && number.negative) number = Number{};
  const Rounding rounding =
      is_integral(conversion.rounding) || conversion.rounding == Rounding::none ? Rounding::rn : conversion.rounding;
  const Overflow overflow = conversion.satfinite ? Overflow::largest : Overflow::by_rounding;
  if (conversion.to == Type::tf32) return assemble(format_tf32, number, rounding, overflow) << 13;
  if (conversion.ftz && conversion.to == Type::f32 && is_tiny(number, rounding)) number.mantissa = 0;
  return assemble(*format_of(conversion.to), number, rounding, overflow);
}

}  // namespace

bool is_integral(Rounding rounding) {
  return rounding == Rounding::rni || rounding == Rounding::rzi || rounding == Rounding::rmi ||
         rounding == Rounding::rpi;
}

bool is_integer(Type type) { return type >= Type::u8 && type <= Type::s64; }

const FloatFormat* format_of(Type type) {
  switch (type) {
    case Type::f16: return &format_f16;
    case Type::bf16: return &format_bf16;
    case Type::f32: return &format_f32;
    case Type::f64: return &format_f64;
    case Type::e4m3: return &format_e4m3;
    case Type::e5m2: return &format_e5m2;
    default: return nullptr;
  }
}

u64 convert(const Conversion& conversion, u64 bits) {
  const Number number = read(conversion, bits);
  return is_integer(conversion.to) ? to_integer(conversion, number) : to_float(conversion, number);
}

}  // namespace warpwalk::gpu::alu

#pragma once

#include "core/gpu/alu/per_lane.h"
#include "core/ptx/instruction.h"

/// Floating-point numbers of any format taken apart and put together again, in integers: for conversions that the host
/// has no instruction for.
namespace warpwalk::gpu::alu {

/// A binary format with a sign, subnormals and at most 64 bits.
struct FloatFormat {
  int exponent_bits = 0, fraction_bits = 0;
  u64 nan = 0;               ///< the NaN that instructions give
  bool has_infinity = true;  ///< else the highest exponent is a number's, and only all ones are a NaN (e4m3)

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr u64 sign() const { return u64{1} << (exponent_bits + fraction_bits); }
  constexpr u64 infinity() const { return ((u64{1} << exponent_bits) - 1) << fraction_bits; }
  /// The largest finite number.
  constexpr u64 largest() const { return has_infinity ? infinity() - 1 : sign() - 2; }
};

constexpr FloatFormat format_f16 = {5, 10, 0x7fff};
constexpr FloatFormat format_bf16 = {8, 7, 0x7fff};
constexpr FloatFormat format_f32 = {8, 23, 0x7fffffff};
constexpr FloatFormat format_f64 = {11, 52, 0x7fffffffffffffff};
constexpr FloatFormat format_e4m3 = {4, 3, 0x7f, false};
constexpr FloatFormat format_e5m2 = {5, 2, 0x7f};

/// (-1)^negative * mantissa * 2^exponent, an infinity or a NaN.
struct Number {
  enum class Kind : u8 { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  int exponent = 0;
  u64 mantissa = 0;
  u64 payload = 0;  ///< a NaN's fraction, its highest bit in bit 63
};

Number taken_apart(const FloatFormat& format, u64 bits);
Number number_of(s64 value);
Number number_of(u64 value);

/// A NaN's payload in a format, made quiet, cut off where it is too long.
u64 nan_with_payload(const FloatFormat& format, const Number& number);

/// What becomes of a number beyond the largest one.
enum class Overflow : u8 {
  by_rounding,  ///< infinity, or the largest where the rounding points to zero
  infinity,     ///< infinity, whatever the rounding
  largest,      ///< .satfinite: the largest, of infinities too; NaN stays
};

/// The bits in a format; rounding rn, rz, rm, rp or rna.
u64 put_together(const FloatFormat& format, const Number& number, ptx::Rounding rounding,
                 Overflow overflow = Overflow::by_rounding);

/// An integer number of at most 64 bits, clamped: rounding rni, rzi, rmi or rpi. NaN gives 0.
u64 clamped_unsigned(const Number& number, ptx::Rounding rounding, u64 high);
s64 clamped_signed(const Number& number, ptx::Rounding rounding, s64 low, s64 high);

/// The integral number nearest by rni, rzi, rmi or rpi; the sign stays at zero.
Number integral(const Number& number, ptx::Rounding rounding);

}  // namespace warpwalk::gpu::alu

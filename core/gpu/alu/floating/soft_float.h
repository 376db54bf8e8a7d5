#pragma once

#include "core/gpu/alu/per_lane.h"
#include "core/ptx/instruction.h"

/// Decomposes and assembles floating-point numbers of any format with integer arithmetic, for conversions that have no
/// host instruction.
namespace warpwalk::gpu::alu {

/// A binary format with a sign, subnormals and at most 64 bits.
struct FloatFormat {
  int exponent_bits = 0, fraction_bits = 0;
  u64 nan = 0;               ///< the NaN that instructions return
  bool has_infinity = true;  ///< if false, the highest exponent encodes numbers, and only all ones is a NaN (e4m3)
  bool has_nan = true;       ///< if false, there is no infinity either, and all ones is a number too (e2m1)

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr u64 sign() const { return u64{1} << (exponent_bits + fraction_bits); }
  constexpr u64 infinity() const { return ((u64{1} << exponent_bits) - 1) << fraction_bits; }
  /// The largest finite number.
  constexpr u64 largest() const { return has_infinity ? infinity() - 1 : has_nan ? sign() - 2 : sign() - 1; }
};

constexpr FloatFormat format_f16 = {5, 10, 0x7fff};
/// The upper 19 bits of a tf32, which tensor cores read: an f32 with ten fraction bits, whose 13 low bits are unused.
constexpr FloatFormat format_tf32 = {8, 10, 0x3ffff};
constexpr FloatFormat format_bf16 = {8, 7, 0x7fff};
constexpr FloatFormat format_f32 = {8, 23, 0x7fffffff};
constexpr FloatFormat format_f64 = {11, 52, 0x7fffffffffffffff};
constexpr FloatFormat format_e4m3 = {4, 3, 0x7f, false};
constexpr FloatFormat format_e5m2 = {5, 2, 0x7f};
/// A NaN becomes the largest number (PTX ISA, cvt).
constexpr FloatFormat format_e2m1 = {2, 1, 0x7, false, false};

/// (-1)^negative * mantissa * 2^exponent, an infinity or a NaN.
struct Number {
  enum class Kind : u8 { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  int exponent = 0;
  u64 mantissa = 0;
  u64 payload = 0;  ///< fraction of a NaN, its highest bit in bit 63
};

Number decompose(const FloatFormat& format, u64 bits);
Number number_of(s64 value);
Number number_of(u64 value);

/// Returns a quiet NaN with the payload of `number`, truncated if it is too long for the format.
u64 nan_with_payload(const FloatFormat& format, const Number& number);

/// The result for a number beyond the largest finite one.
enum class Overflow : u8 {
  by_rounding,  ///< infinity, or the largest number if the rounding is toward zero
  infinity,     ///< infinity for every rounding
  largest,      ///< .satfinite: the largest number, also for infinities; NaN is kept
};

/// Returns the bits of a number in a format. `rounding` is rn, rz, rm, rp or rna.
u64 assemble(const FloatFormat& format, const Number& number, ptx::Rounding rounding,
             Overflow overflow = Overflow::by_rounding);

/// Rounds to an integer and clamps it. `rounding` is rni, rzi, rmi or rpi. NaN gives 0.
u64 clamped_unsigned(const Number& number, ptx::Rounding rounding, u64 high);
s64 clamped_signed(const Number& number, ptx::Rounding rounding, s64 low, s64 high);

/// Rounds to an integral number; `rounding` is rni, rzi, rmi or rpi. A result of zero keeps the sign.
Number integral(const Number& number, ptx::Rounding rounding);

}  // namespace warpwalk::gpu::alu

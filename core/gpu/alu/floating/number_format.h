#pragma once

#include <span>
#include <string_view>

#include "core/gpu/alu/floating/soft_float.h"

/// The formats in which GPUs keep numbers, one value at a time: for explanations, not for the execution of
/// instructions.
namespace warpwalk::gpu::alu {

/// A format of 4 to 64 bits.
struct NumberFormat {
  std::string_view name;        ///< "FP8 E4M3"
  std::string_view short_name;  ///< "E4M3"
  FloatFormat layout = {};      ///< of a floating-point format
  int integer_bits = 0;         ///< of a two's complement integer; 0 for floating point
  /// A number beyond the largest one becomes the largest one. Conversions to FP8 and FP4 do that (.satfinite).
  bool saturates = false;

  bool integer() const { return integer_bits > 0; }
  int bits() const { return integer() ? integer_bits : 1 + layout.exponent_bits + layout.fraction_bits; }
  u64 patterns_mask() const { return bits() == 64 ? ~u64{0} : (u64{1} << bits()) - 1; }
};

/// FP64, FP32, TF32, FP16, BF16, FP8 E4M3, FP8 E5M2, FP4 E2M1, INT8.
std::span<const NumberFormat> number_formats();
/// The format of this name, which exists.
const NumberFormat& number_format(std::string_view name);

enum class NumberKind : u8 { zero, subnormal, normal, infinite, nan };

NumberKind kind_of(const NumberFormat& format, u64 bits);
/// The value of a pattern; exact.
double value_of(const NumberFormat& format, u64 bits);
/// The pattern of the nearest value, of two equally near ones the even one.
u64 nearest(const NumberFormat& format, double value);
/// `value` as the format keeps it.
inline double kept(const NumberFormat& format, double value) { return value_of(format, nearest(format, value)); }
/// The distance from this finite pattern's magnitude to the next larger one.
double spacing_at(const NumberFormat& format, u64 bits);

double largest(const NumberFormat& format);
double smallest_normal(const NumberFormat& format);
/// The smallest number above zero.
double smallest(const NumberFormat& format);

}  // namespace warpwalk::gpu::alu

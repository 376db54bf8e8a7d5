#include "core/gpu/alu/floating/special_function.h"

#include <bit>

#include "core/gpu/alu/floating/special_function_tables.h"

namespace warpwalk::gpu::alu::special {
namespace {

constexpr u32 sign_bit = 0x80000000U, infinity = 0x7f800000U, one = 0x3f800000U, fraction_mask = 0x7fffff;
constexpr u32 hidden_bit = 0x800000;
constexpr int bias = 127, fraction_bits = 23;
constexpr int value_bits = 17;  // fraction bits of an evaluated polynomial, in units of its table
constexpr int square_bits = 15;

/// The square of a 15-bit number without the partial products of its lower 15 columns, as the unit adds them up.
std::int64_t truncated_square(u32 x) {
  std::int64_t sum = 0;
  for (int i = (square_bits + 1) / 2; i < square_bits; ++i) {
    const u32 products = ((x & ((1U << i) - 1)) >> (square_bits - 1 - i)) + (1U << (2 * i - square_bits));
    sum += (x >> i & 1) != 0 ? products : 0;
  }
  return sum;
}

/// The polynomial at a fraction of `Bits` bits, whose upper bits are the number of the segment and whose lower
/// `Bits` - 6 or - 7 bits are its argument.
template <int ArgumentBits>
std::int64_t evaluate(const SegmentTable& table, u32 fraction) {
  const Segment& s = table.segments[fraction >> ArgumentBits];
  const u32 x = fraction & ((1U << ArgumentBits) - 1);
  return std::int64_t{s.c0} * (1 << (value_bits - 3)) + table.bias +
         std::int64_t{s.c1} * x * (1 << (value_bits - ArgumentBits)) +
         s.c2 * truncated_square(x >> (ArgumentBits - square_bits)) * (1 << (value_bits - square_bits));
}

/// value * 2^exponent, truncated to 24 bits. value >= 0.
u32 packed(u32 sign, std::int64_t value, int exponent) {
  if (value == 0) return sign;
  const auto magnitude = static_cast<u64>(value);
  const int top = 63 - std::countl_zero(magnitude);
  if (top + exponent > bias) return sign | infinity;
  if (top + exponent <= -bias) return sign;
  const u64 digits = top >= fraction_bits ? magnitude >> (top - fraction_bits) : magnitude << (fraction_bits - top);
  return sign | static_cast<u32>(top + exponent + bias) << fraction_bits | (static_cast<u32>(digits) & fraction_mask);
}

struct Parts {
  u32 sign, magnitude, fraction;
  int exponent;

  explicit Parts(float x)
      : sign(bits_of(x) & sign_bit),
        magnitude(bits_of(x) & ~sign_bit),
        fraction(magnitude & fraction_mask),
        exponent(static_cast<int>(magnitude >> fraction_bits) - bias) {}
  bool nan() const { return magnitude > infinity; }
  bool infinite() const { return magnitude == infinity; }
  bool zero() const { return magnitude < hidden_bit; }
  /// |x| in units of 2^-`fraction_bits` * 2^-shift, truncated; 0 if the upper bits are lost too.
  u64 fixed(int shift) const {
    const int by = exponent + shift;
    const u64 digits = zero() ? 0 : fraction | hidden_bit;
    return by >= 0 ? (by < 40 ? digits << by : 0) : by > -25 ? digits >> -by : 0;
  }
};

float nan() { return f32_of(nan_f32); }

/// sin of a number of quarter turns: the table has the first one.
float sine_of_quarters(float turns, u32 quarters) {
  const Parts x(turns);
  if (x.magnitude >= infinity) return nan();
  const u64 position = x.fixed(2);
  const u32 quarter = (static_cast<u32>(position >> fraction_bits) + quarters) & 3;
  u32 fraction = static_cast<u32>(position) & fraction_mask;
  if ((quarter & 1) != 0) fraction = ~fraction & fraction_mask;
  const u32 sign = (quarters != 0 ? 0 : x.sign) ^ ((quarter & 2) != 0 ? sign_bit : 0);
  return f32_of(packed(sign, evaluate<17>(sines, fraction) >> 3, -37));
}

/// Mantissa and exponent of an inverse square root: of (1 + fraction) 2^exponent.
struct RootParts {
  std::int64_t value;
  int exponent;
};
RootParts inverse_root_parts(u32 fraction, int exponent) {
  const bool odd = (exponent & 1) != 0;
  const int half = (exponent - (odd ? 1 : 0)) / 2;
  if (!odd && fraction == 0) return {std::int64_t{1} << 24, -24 - half};
  return {evaluate<17>(odd ? inverse_roots_odd : inverse_roots_even, fraction) >> value_bits, -24 - half};
}

constexpr int fraction_bits_high = 20, bias_64 = 1023;
constexpr u32 infinity_64 = 0x7ff00000U, fraction_mask_high = 0xfffff;

u32 packed_high(u32 sign, std::int64_t value, int exponent) {
  const int top = 63 - std::countl_zero(static_cast<u64>(value));
  if (top + exponent <= -bias_64) return sign;
  return sign | static_cast<u32>(top + exponent + bias_64) << fraction_bits_high |
         (static_cast<u32>(value >> (top - fraction_bits_high)) & fraction_mask_high);
}

}  // namespace

float reciprocal(float of) {
  const Parts x(of);
  if (x.nan()) return nan();
  if (x.infinite()) return f32_of(x.sign);
  if (x.zero()) return f32_of(x.sign | infinity);
  return f32_of(packed(x.sign, evaluate<16>(reciprocals, x.fraction) >> value_bits, -24 - x.exponent));
}

float inverse_root(float of) {
  const Parts x(of);
  if (x.nan()) return nan();
  if (x.zero()) return f32_of(x.sign | infinity);
  if (x.sign != 0) return nan();
  if (x.infinite()) return 0;
  const RootParts parts = inverse_root_parts(x.fraction, x.exponent);
  return f32_of(packed(0, parts.value, parts.exponent));
}

float root(float of) {
  const Parts x(of);
  if (x.nan()) return nan();
  if (x.zero()) return f32_of(x.sign);
  if (x.sign != 0) return nan();
  if (x.infinite()) return of;
  const bool odd = (x.exponent & 1) != 0;
  const int half = (x.exponent - (odd ? 1 : 0)) / 2;
  return f32_of(packed(0, evaluate<17>(odd ? roots_odd : roots_even, x.fraction) >> value_bits, half - 24));
}

float power_of_two(float of) {
  const Parts x(of);
  if (x.nan()) return nan();
  if (x.exponent >= 8) return x.sign != 0 ? 0 : f32_of(infinity);
  const auto position = static_cast<std::int64_t>(x.fixed(0));
  // Negative positions are complemented instead of negated, except for whole numbers.
  const bool whole = (position & fraction_mask) == 0;
  const std::int64_t n = x.sign == 0 ? position : whole ? -position : ~position;
  const u32 fraction = static_cast<u32>(n) & fraction_mask;
  return f32_of(packed(0, evaluate<17>(powers, fraction) >> value_bits, static_cast<int>(n >> fraction_bits) - 23));
}

float logarithm(float of) {
  const Parts x(of);
  if (x.nan()) return nan();
  if (x.zero()) return f32_of(sign_bit | infinity);
  if (x.sign != 0) return nan();
  if (x.infinite()) return of;
  if (x.magnitude == one) return 0;
  const std::int64_t value =
      (evaluate<17>(logarithms, x.fraction) >> 3) + std::int64_t{x.exponent} * (std::int64_t{1} << 37);
  if (value >= 0) return f32_of(packed(0, value, -37));
  // Just below 1 the last digit of the result shows that the multiplier drops a carry.
  constexpr u32 digit_from = 0x3f7ffa74;
  const bool drops = x.magnitude >= digit_from && x.magnitude < one && (x.magnitude & 2) == 0;
  return f32_of(packed(sign_bit, ~value - (drops ? 1 : 0), -37));
}

float sine(float turns) { return sine_of_quarters(turns, 0); }
float cosine(float turns) { return sine_of_quarters(turns, 1); }

float hyperbolic_tangent(float of) {
  // The binades from 2^-8 to 2^2: the number of their first segment, and the logarithm of the count of their segments.
  constexpr int smallest = -8, binades = 11;
  static constexpr u32 first[binades] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
  static constexpr int segment_bits[binades] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
  const Parts x(of);
  if (x.nan()) return nan();
  if (x.exponent < smallest) return of;
  if (x.exponent >= smallest + binades) return f32_of(x.sign | one);
  const int binade = x.exponent - smallest;
  const u32 fraction = x.fraction >> (fraction_bits - 17 - segment_bits[binade]);
  return f32_of(packed(x.sign, evaluate<17>(hyperbolic_tangents, (first[binade] << 17) + fraction) >> 3, -38));
}

u32 reciprocal_high(u32 high) {
  const u32 sign = high & sign_bit, magnitude = high & ~sign_bit;
  if (magnitude > infinity_64) return nan_f32;
  if (magnitude == infinity_64) return sign;
  if (magnitude >> fraction_bits_high == 0) return sign | infinity_64;
  const u32 fraction = (magnitude & fraction_mask_high) << (fraction_bits - fraction_bits_high);
  const int exponent = static_cast<int>(magnitude >> fraction_bits_high) - bias_64;
  return packed_high(sign, evaluate<16>(reciprocals, fraction) >> value_bits, -24 - exponent);
}

u32 inverse_root_high(u32 high) {
  const u32 sign = high & sign_bit, magnitude = high & ~sign_bit;
  if (magnitude > infinity_64) return nan_f32;
  if (magnitude >> fraction_bits_high == 0) return sign | infinity_64;
  if (sign != 0) return nan_f32;
  if (magnitude == infinity_64) return 0;
  const u32 fraction = (magnitude & fraction_mask_high) << (fraction_bits - fraction_bits_high);
  const RootParts parts = inverse_root_parts(fraction, static_cast<int>(magnitude >> fraction_bits_high) - bias_64);
  return packed_high(0, parts.value, parts.exponent);
}

}  // namespace warpwalk::gpu::alu::special

#include "core/gpu/alu/matrix/mma_float.h"

#include <algorithm>

namespace warpwalk::gpu::alu {
namespace {

/// The sum if a factor or c is infinite or NaN.
template <int K>
Number special_sum(const LineOf<K>& a, const LineOf<K>& b, const Number& c) {
  bool nan = c.kind == Number::Kind::nan;
  bool plus = c.kind == Number::Kind::infinite && !c.negative;
  bool minus = c.kind == Number::Kind::infinite && c.negative;
  for (std::size_t i = 0; i < K; ++i) {
    if (a.special[i] == Special::none && b.special[i] == Special::none) continue;
    const s32 x = a.significand[i];
    const s32 y = b.significand[i];
    if (a.special[i] == Special::nan || b.special[i] == Special::nan || x == 0 || y == 0)
      nan = true;
    else
      ((x < 0) != (y < 0) ? minus : plus) = true;
  }
  Number sum;
  if (!nan && !plus && !minus) return sum;
  sum.kind = nan || (plus && minus) ? Number::Kind::nan : Number::Kind::infinite;
  sum.negative = minus;
  return sum;
}

/// sum * 2^(exponent - fraction bits), rounded to d_format.
template <int FractionBits>
u32 rounded(s64 sum, s32 exponent, const FloatFormat& d_format) {
  auto magnitude = static_cast<u64>(sum < 0 ? -sum : sum);
  const bool f32 = d_format.fraction_bits == format_f32.fraction_bits;
  const int length = static_cast<int>(std::bit_width(magnitude));
  if (f32 && FractionBits == Accumulator::byte_fraction_bits && length > FractionBits + 1)
    magnitude &= ~((u64{1} << (length - FractionBits - 1)) - 1);
  const int leading = exponent - FractionBits + length - 1;
  if (f32 && magnitude != 0 && leading >= -126 && leading <= 127) {
    const u64 cut = length > 24 ? magnitude >> (length - 24) : magnitude << (24 - length);
    return (sum < 0 ? 0x80000000U : 0U) | static_cast<u32>(leading + 127) << 23 | (static_cast<u32>(cut) & 0x7fffffU);
  }
  Number total;
  total.negative = sum < 0;
  total.mantissa = magnitude;
  total.exponent = exponent - FractionBits;
  const u64 bits = assemble(d_format, total, f32 ? ptx::Rounding::rz : ptx::Rounding::rn, Overflow::infinity);
  return static_cast<u32>((bits & ~d_format.sign()) == 0 ? 0 : bits);
}

/// The sum of the products in units of 2^(largest - fraction bits). Each product is below 2^(fraction bits + 2), so 32
/// bits hold the sum.
template <int K, int FractionBits>
[[gnu::always_inline]] inline s32 products(int product_bits, const LineOf<K>& a, const LineOf<K>& b,
                                           const std::array<s32, K>& exponents, s32 largest) {
  const int widening = FractionBits - product_bits;
  s32 sum = 0;
  for (std::size_t i = 0; i < K; ++i) {
    const s32 product = a.significand[i] * b.significand[i];
    const s32 sign = product >> 31;
    const u32 magnitude = static_cast<u32>((product ^ sign) - sign) << widening;
    const auto part = static_cast<s32>(magnitude >> std::min(largest - exponents[i], 31));
    sum += (part ^ sign) - sign;
  }
  return sum;
}

template <int K, int FractionBits>
[[gnu::always_inline]] inline u32 dot(int product_bits, const LineOf<K>& a, const LineOf<K>& b,
                                      const FloatFormat& c_format, u32 c, const FloatFormat& d_format) {
  const Number addend = decompose(c_format, c);
  if (a.has_special || b.has_special || addend.kind != Number::Kind::finite) {
    const Number special = special_sum(a, b, addend);
    if (special.kind != Number::Kind::finite) return static_cast<u32>(assemble(d_format, special, ptx::Rounding::rn));
  }
  const s32 c_exponent = addend.mantissa == 0 ? exponent_of_zero : addend.exponent + c_format.fraction_bits;
  std::array<s32, K> exponents;
  s32 largest = std::max(c_exponent, Accumulator::min_exponent);
  for (std::size_t i = 0; i < K; ++i) {
    exponents[i] = a.exponent[i] + b.exponent[i];
    largest = std::max(largest, exponents[i]);
  }
  // In units of 2^(c_exponent - fraction bits of the accumulator or, if C has more of them, of C).
  const int spare = std::max(c_format.fraction_bits - FractionBits, 0);
  const u64 c_magnitude = addend.mantissa << (FractionBits + spare - c_format.fraction_bits);
  const auto c_part = static_cast<s64>(c_magnitude >> std::min(largest - c_exponent + spare, 63));
  const s64 sum =
      products<K, FractionBits>(product_bits, a, b, exponents, largest) + (addend.negative ? -c_part : c_part);
  return rounded<FractionBits>(sum, largest, d_format);
}

u32 dot_baseline(int product_bits, const Line& a, const Line& b, const FloatFormat& c_format, u32 c,
                 const FloatFormat& d_format) {
  return dot<max_float_k, Accumulator::fraction_bits>(product_bits, a, b, c_format, c, d_format);
}
u32 byte_dot_baseline(int product_bits, const ByteLine& a, const ByteLine& b, const FloatFormat& c_format, u32 c,
                      const FloatFormat& d_format) {
  return dot<max_group_byte_k, Accumulator::byte_fraction_bits>(product_bits, a, b, c_format, c, d_format);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] u32 dot_wide(int product_bits, const Line& a, const Line& b, const FloatFormat& c_format,
                                         u32 c, const FloatFormat& d_format) {
  return dot<max_float_k, Accumulator::fraction_bits>(product_bits, a, b, c_format, c, d_format);
}
[[gnu::target("avx2,fma")]] u32 byte_dot_wide(int product_bits, const ByteLine& a, const ByteLine& b,
                                              const FloatFormat& c_format, u32 c, const FloatFormat& d_format) {
  return dot<max_group_byte_k, Accumulator::byte_fraction_bits>(product_bits, a, b, c_format, c, d_format);
}
#endif

}  // namespace

MatrixInput matrix_input(ptx::Type type) {
  switch (type) {
    case ptx::Type::f16: return {&format_f16, 0};
    case ptx::Type::bf16: return {&format_bf16, 0};
    case ptx::Type::e4m3: return {&format_e4m3, 0};
    case ptx::Type::e5m2: return {&format_e5m2, 0};
    default: return {&format_tf32, 13};
  }
}

template <int K>
void LineOf<K>::set(int at, const FloatFormat& format, u64 bits) {
  const auto i = static_cast<std::size_t>(at);
  const auto fraction = static_cast<s32>(bits & ((u64{1} << format.fraction_bits) - 1));
  const s32 highest = (1 << format.exponent_bits) - 1;
  const s32 biased = static_cast<s32>(bits >> format.fraction_bits) & highest;
  const bool nan = format.has_infinity ? fraction != 0 : (bits & format.nan) == format.nan;
  if (biased == highest && (format.has_infinity || nan)) {
    special[i] = nan ? Special::nan : Special::infinite;
    has_special = true;
  }
  const s32 magnitude = biased == 0 ? fraction : fraction | 1 << format.fraction_bits;
  significand[i] = (bits & format.sign()) != 0 ? -magnitude : magnitude;
  exponent[i] = magnitude == 0 ? exponent_of_zero : std::max(biased, 1) - format.bias();
}

template struct LineOf<max_float_k>;
template struct LineOf<max_group_byte_k>;

Dot dot_for([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::wide) return &dot_wide;
#endif
  return &dot_baseline;
}

ByteDot byte_dot_for([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::wide) return &byte_dot_wide;
#endif
  return &byte_dot_baseline;
}

}  // namespace warpwalk::gpu::alu

#pragma once

#include "core/gpu/alu/floating/floats.h"

/// Multiply-add with a single rounding.
namespace warpwalk::gpu::alu {

/// Rounds to odd: of the two neighbors of an inexact sum `rounded + error`, returns the one with an odd last bit. If it
/// is rounded again to a precision at least two bits lower, the result equals a single rounding of the exact sum (Boldo
/// and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
template <class T>
inline T to_odd(T rounded, T error) {
  using Bits = std::conditional_t<sizeof(T) == 4, u32, u64>;
  const Bits bits = std::bit_cast<Bits>(rounded);
  // Branch-free, so that loops vectorize. For an infinite sum the error is NaN and does not count as inexact.
  const bool inexact = (error > 0) | (error < 0);
  const Bits opposite = (std::bit_cast<Bits>(error) ^ bits) >> (8 * sizeof(T) - 1);
  const Bits step = inexact ? Bits{1} - 2 * opposite : Bits{0};
  return std::bit_cast<T>(bits + ((bits & 1) == 0 ? step : Bits{0}));
}

/// a + b, rounded to odd.
template <class T>
inline T sum_to_odd(T a, T b) {
  const T sum = a + b;
  const T b_part = sum - a;
  const T a_part = sum - b_part;
  return to_odd(sum, (a - a_part) + (b - b_part));
}

/// Converts f64 to f32, rounded to odd.
inline float narrowed_to_odd(double a) {
  const auto rounded = static_cast<float>(a);
  const double error = a - static_cast<double>(rounded);
  return to_odd(rounded, error > 0 ? 1.0F : error < 0 ? -1.0F : 0.0F);
}

/// fma without an FMA instruction: the product is exact in f64.
inline float fused_in_f64(float a, float b, float c) {
  return static_cast<float>(sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
}

/// fma by the processor's instruction, or by libm if the surrounding loop is compiled without FMA.
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

}  // namespace warpwalk::gpu::alu

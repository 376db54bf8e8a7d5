#pragma once

#include "core/gpu/alu/floats.h"

/// Multiplication and addition with one rounding.
namespace warpwalk::gpu::alu {

/// To odd: of the two neighbours of an inexact sum `rounded + error` the one with an odd last bit. Rounded again to two
/// bits less or fewer it gives what one rounding of the exact sum gives (Boldo and Melquiond, "Emulation of FMA and
/// correctly rounded sums", 2008).
template <class T>
inline T to_odd(T rounded, T error) {
  using Bits = std::conditional_t<sizeof(T) == 4, u32, u64>;
  const Bits bits = std::bit_cast<Bits>(rounded);
  // Without branches, for vectors. Of an infinite sum the error is a NaN, and not inexact.
  const bool inexact = (error > 0) | (error < 0);
  const Bits opposite = (std::bit_cast<Bits>(error) ^ bits) >> (8 * sizeof(T) - 1);
  const Bits step = inexact ? Bits{1} - 2 * opposite : Bits{0};
  return std::bit_cast<T>(bits + ((bits & 1) == 0 ? step : Bits{0}));
}

/// a + b to odd.
template <class T>
inline T sum_to_odd(T a, T b) {
  const T sum = a + b;
  const T b_part = sum - a;
  const T a_part = sum - b_part;
  return to_odd(sum, (a - a_part) + (b - b_part));
}

/// An f64 as an f32, to odd.
inline float narrowed_to_odd(double a) {
  const auto rounded = static_cast<float>(a);
  const double error = a - static_cast<double>(rounded);
  return to_odd(rounded, error > 0 ? 1.0F : error < 0 ? -1.0F : 0.0F);
}

/// Without the processor's instruction: the product is exact in f64.
inline float fused_in_f64(float a, float b, float c) {
  return static_cast<float>(sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
}

/// With it (libm's function where the loop around it is compiled without).
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

}  // namespace warpwalk::gpu::alu

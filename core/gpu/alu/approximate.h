#pragma once

#include "core/gpu/alu/floats.h"

/// The functions behind .approx, computed in f64 to about 1e-14. They only use operations that IEEE 754 rounds
/// correctly, so every processor and library gives the same bits. The GPU's lookup tables are not reproduced.
namespace warpwalk::gpu::alu {

/// Nearest integer, |x| < 2^51.
inline double nearest(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

/// 2^x. x is clamped to [-1000, 1000]. NaN input: result unspecified.
inline double power_of_two(double x) {
  const double within = x > -1000 ? (x < 1000 ? x : 1000) : -1000;
  const double whole = nearest(within);
  const double t = (within - whole) * 0x1.62e42fefa39efp-1;  // times ln 2, in [-0.35, 0.35]
  double series = 1.0 / 39916800;
  series = series * t + 1.0 / 3628800;
  series = series * t + 1.0 / 362880;
  series = series * t + 1.0 / 40320;
  series = series * t + 1.0 / 5040;
  series = series * t + 1.0 / 720;
  series = series * t + 1.0 / 120;
  series = series * t + 1.0 / 24;
  series = series * t + 1.0 / 6;
  series = series * t + 0.5;
  series = series * t + 1;
  series = series * t + 1;
  const u64 exponent = (bits_of(whole + 0x1.8p52) + 1023) << 52;  // the low bits of the sum are the integer
  return series * f64_of(exponent);
}

/// log2(x) for positive normal x.
inline double binary_logarithm(double x) {
  const u64 bits = bits_of(x);
  // Relative to sqrt(1/2), so that the remainder m is in [sqrt(1/2), sqrt(2)].
  const u64 shifted = bits - 0x3fe6a09e667f3bcdU;
  // Converts an integer from 0 to 4095 by placing it in the low bits of 2^52 + integer.
  const double exponent = f64_of(((shifted + (u64{2048} << 52)) >> 52) | 0x4330000000000000U) - (0x1p52 + 2048);
  const double m = f64_of(bits - (shifted & 0xfff0000000000000U));
  const double z = (m - 1) / (m + 1);
  const double square = z * z;
  double series = 1.0 / 21;
  series = series * square + 1.0 / 19;
  series = series * square + 1.0 / 17;
  series = series * square + 1.0 / 15;
  series = series * square + 1.0 / 13;
  series = series * square + 1.0 / 11;
  series = series * square + 1.0 / 9;
  series = series * square + 1.0 / 7;
  series = series * square + 1.0 / 5;
  series = series * square + 1.0 / 3;
  series = series * square + 1.0;
  return exponent + 2 * 0x1.71547652b82fep0 * z * series;  // 2 / ln 2
}

/// sin(2 pi turns) for quarter = 0, cos(2 pi turns) for quarter = 1. From 2^51 on, every number counts as an integer.
inline double sine(double turns, int quarter) {
  const double part = turns > -0x1p51 && turns < 0x1p51 ? turns - nearest(turns) : turns * 0;
  const double quarters = part * 4;
  const double whole = nearest(quarters);
  const double r = (quarters - whole) * 0x1.921fb54442d18p0;  // times pi / 2, in [-0.79, 0.79]
  const double square = r * r;
  double odd = 1.0 / 6227020800;
  odd = odd * square - 1.0 / 39916800;
  odd = odd * square + 1.0 / 362880;
  odd = odd * square - 1.0 / 5040;
  odd = odd * square + 1.0 / 120;
  odd = odd * square - 1.0 / 6;
  odd = odd * square + 1;
  double even = 1.0 / 479001600;
  even = even * square - 1.0 / 3628800;
  even = even * square + 1.0 / 40320;
  even = even * square - 1.0 / 720;
  even = even * square + 1.0 / 24;
  even = even * square - 0.5;
  even = even * square + 1;
  const u64 n = bits_of(whole + 0x1.8p52) + static_cast<u64>(quarter);
  const double value = (n & 1) != 0 ? even : odd * r;
  return f64_of(bits_of(value) ^ (n & 2) << 62);
}

inline double hyperbolic_tangent(double x) {
  const double square = x * x;
  double series = 62.0 / 2835;
  series = series * square - 17.0 / 315;
  series = series * square + 2.0 / 15;
  series = series * square - 1.0 / 3;
  series = series * square + 1;
  const double small = x * series;
  const double large = 1 - 2 / (power_of_two(x * 0x1.71547652b82fep1) + 1);  // e^2x = 2^(x * 2 / ln 2)
  return square < 0.01 ? small : large;
}

// Per-lane functions. They may return any NaN; callers convert it to the GPU's NaN.

inline float ex2(float x) { return x == x ? static_cast<float>(power_of_two(static_cast<double>(x))) : x; }

inline float lg2(float x) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  // A chain of selects, so that the loop vectorizes.
  float result = static_cast<float>(binary_logarithm(static_cast<double>(x)));
  result = x == infinity ? infinity : result;
  result = x == 0 ? -infinity : result;
  return x >= 0 ? result : f32_of(nan_f32);
}

/// Converts an argument of sin or cos to turns as the GPU does: multiplied by 1 / (2 pi) in f32, rounded toward zero
/// and flushed. For large arguments this step, not the function itself, determines the error of the result.
inline float turns_of(float x) {
  const double product = static_cast<double>(x) * static_cast<double>(0x1.45f306p-3F);
  const auto rounded = static_cast<float>(product);
  const double magnitude = f64_of(bits_of(product) & 0x7fffffffffffffffU);
  const bool above = static_cast<double>(f32_of(bits_of(rounded) & 0x7fffffffU)) > magnitude;
  return flushed(f32_of(above ? bits_of(rounded) - 1 : bits_of(rounded)));
}

inline float sine_of(float x) {
  const float turns = turns_of(x);
  const auto value = static_cast<float>(sine(static_cast<double>(turns), 0));
  return turns == 0 ? turns : value;
}

inline float cosine_of(float x) { return static_cast<float>(sine(static_cast<double>(turns_of(x)), 1)); }

inline float tanh_of(float x) { return x == x ? static_cast<float>(hyperbolic_tangent(static_cast<double>(x))) : x; }

inline float rsqrt(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }

}  // namespace warpwalk::gpu::alu

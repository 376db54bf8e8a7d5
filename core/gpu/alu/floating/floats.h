#pragma once

// This folder computes floating-point instructions and conversions. Products of matrices are in core/gpu/alu/matrix.

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/gpu/alu/per_lane.h"
#include "core/ptx/instruction.h"

/// GPU floating-point behavior beyond IEEE arithmetic: a single NaN, flushed subnormals, results clamped to [0, 1].
namespace warpwalk::gpu::alu {

/// The NaN that f32, f16 and bf16 instructions return (CUDA Programming Guide, "Floating-Point Standard").
constexpr u32 nan_f32 = 0x7fffffffU;
constexpr u16 nan_f16 = 0x7fffU;

inline u32 bits_of(float x) { return std::bit_cast<u32>(x); }
inline u64 bits_of(double x) { return std::bit_cast<u64>(x); }
inline float f32_of(u32 bits) { return std::bit_cast<float>(bits); }
inline double f64_of(u64 bits) { return std::bit_cast<double>(bits); }

/// Replaces any NaN by the f32 NaN.
inline float canonical(float x) { return x == x ? x : f32_of(nan_f32); }

/// The NaN that an f64 operation without NaN sources returns.
constexpr u64 nan_f64 = 0xfff8000000000000U;

/// a * b + c with the rounding rz, rm or rp (directed.cpp).
double fused_directed(ptx::Rounding rounding, double a, double b, double c);

/// Returns the quiet form of a NaN.
inline double quiet(double nan) { return f64_of(bits_of(nan) | 0x0008000000000000U); }

/// f64 arithmetic returns the quiet form of a source NaN, in the order b, c, a (observed on an H200).
inline double f64_result(double result, double a) {
  return result == result ? result : a != a ? quiet(a) : f64_of(nan_f64);
}
inline double f64_result(double result, double a, double b) {
  const double nan = b != b ? quiet(b) : a != a ? quiet(a) : f64_of(nan_f64);
  return result == result ? result : nan;
}
inline double f64_result(double result, double a, double b, double c) {
  const double of_a = a != a ? quiet(a) : f64_of(nan_f64);
  const double nan = b != b ? quiet(b) : c != c ? quiet(c) : of_a;
  return result == result ? result : nan;
}

/// .ftz: replaces a subnormal by a zero of the same sign.
inline float flushed(float x) {
  const u32 bits = bits_of(x);
  return f32_of((bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits);
}

/// .sat: clamps to [0, 1]. NaN and -0 become +0.
template <class T>
inline T saturated(T x) {
  const T low = x > 0 ? x : T{0};
  return low < 1 ? low : T{1};
}

// min and max with PTX semantics: a number wins over NaN, and -0 is less than +0.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, u32, u64>;

enum class Extreme { least, greatest };

/// Returns the lesser or greater of two numbers; b if a is NaN, a if b is NaN.
template <Extreme E, class T>
inline T extreme(T a, T b) {
  const auto x = std::bit_cast<BitsOf<T>>(a);
  const auto y = std::bit_cast<BitsOf<T>>(b);
  const auto zeros = std::bit_cast<T>(E == Extreme::least ? x | y : x & y);  // for a == b, which may differ in sign
  const T ordered = E == Extreme::least ? (a < b ? a : b) : (a > b ? a : b);
  const T number = a == b ? zeros : ordered;
  return b != b ? a : a != a ? b : number;
}

}  // namespace warpwalk::gpu::alu

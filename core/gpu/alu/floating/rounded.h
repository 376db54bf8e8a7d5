#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

#include "core/gpu/alu/floating/floats.h"

/// Arithmetic that rounds toward zero, down or up, from the host's rounding to nearest. Not every host can change its
/// rounding mode: WebAssembly cannot.
///
/// Each operation is rounded to nearest, and then moved to a neighbor if the exact result lies on the wrong side. The
/// sign of the error, exact - nearest, is exact: an f32 result is compared with the f64 result of the same f32
/// operands, which rounds to the same side; the error of an f64 result is the rest of an error-free transformation
/// (Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., chapter 4), computed with exponents near 0.
namespace warpwalk::gpu::alu {

enum class Toward { zero, down, up };

/// -1, 0 or 1; 0 for a NaN.
inline int sign_of(double x) { return (x > 0) - (x < 0); }
/// Sign of a - b; 0 if one is NaN.
inline int compared(double a, double b) { return (a > b) - (a < b); }

/// The directed result, from the nearest one and the sign of exact - nearest.
template <Toward toward, class T>
T moved(T nearest, int error) {
  if (error == 0 || nearest != nearest) return nearest;
  auto bits = std::bit_cast<BitsOf<T>>(nearest);
  const bool negative = std::signbit(nearest);
  // The magnitude grows by 1 ulp, or shrinks.
  if constexpr (toward == Toward::zero) {
    if (negative == (error > 0) && nearest != 0) --bits;
  } else {
    constexpr int wanted = toward == Toward::up ? 1 : -1;
    if (error == wanted) bits += negative == (error < 0) ? 1 : -1;
  }
  return std::bit_cast<T>(bits);
}

/// A sum that is exactly 0 is -0 rounded down, unless both terms are +0.
template <Toward toward, class T>
T zero_sum(T sum, int error, bool signs_differ) {
  return toward == Toward::down && sum == 0 && error == 0 && signs_differ ? T{-0.0} : sum;
}

/// A sum and its rounding error: a + b = high + low, exactly.
struct TwoTerms {
  double high, low;
};
inline TwoTerms two_sum(double a, double b) {
  const double high = a + b, of_b = high - a;
  return {high, (a - (high - of_b)) + (b - of_b)};
}

/// Sign of a sum of doubles. Its partial sums must not overflow, and its errors must not underflow.
template <std::size_t N>
int sign_of_sum(const std::array<double, N>& terms) {
  std::array<double, N> parts{};  // do not overlap; by magnitude
  for (std::size_t i = 0; i < N; ++i) {
    double sum = terms[i];
    for (std::size_t k = 0; k < i; ++k) {
      const TwoTerms both = two_sum(sum, parts[k]);
      sum = both.high;
      parts[k] = both.low;
    }
    parts[i] = sum;
  }
  for (std::size_t i = N; i-- > 0;)
    if (parts[i] != 0) return sign_of(parts[i]);
  return 0;
}

// f32: the f64 result of f32 operands rounds to the same side of any f32, and its error decides where they are equal.
// ----

template <Toward toward>
float add_rounded(float a, float b) {
  const float nearest = a + b;
  const TwoTerms exact = two_sum(a, b);
  const int error = exact.high == nearest ? sign_of(exact.low) : compared(exact.high, nearest);
  return zero_sum<toward>(moved<toward>(nearest, error), error, std::signbit(a) != std::signbit(b));
}

template <Toward toward>
float multiply_rounded(float a, float b) {
  const float nearest = a * b;
  return moved<toward>(nearest, compared(static_cast<double>(a) * b, nearest));
}

template <Toward toward>
float fused_rounded(float a, float b, float c) {
  const float nearest = std::fma(a, b, c);
  const double product = static_cast<double>(a) * b;
  const TwoTerms exact = two_sum(product, c);
  const int error = exact.high == nearest ? sign_of(exact.low) : compared(exact.high, nearest);
  return zero_sum<toward>(moved<toward>(nearest, error), error, std::signbit(product) != std::signbit(c));
}

template <Toward toward>
float divide_rounded(float a, float b) {
  const float nearest = a / b;
  const int error = compared(a, static_cast<double>(nearest) * b);
  return moved<toward>(nearest, std::signbit(b) ? -error : error);
}

template <Toward toward>
float root_rounded(float a) {
  const float nearest = std::sqrt(a);
  return moved<toward>(nearest, compared(a, static_cast<double>(nearest) * nearest));
}

// f64 -----------------------------------------------------------------------------------------------------------------

/// Whether products with it, and their errors, are normal numbers. NaN is not.
inline bool is_moderate(double x) {
  const double size = std::abs(x);
  return size >= 0x1p-400 && size <= 0x1p400;
}

/// x = mantissa * 2^exponent, with a mantissa of at least 0.5 and less than 1.
struct SplitDouble {
  int exponent = 0;
  double mantissa;
  explicit SplitDouble(double x) : mantissa(std::frexp(x, &exponent)) {}
};

template <Toward toward>
double add_rounded(double a, double b) {
  const double nearest = a + b;
  const bool a_larger = std::abs(a) >= std::abs(b);
  const double large = a_larger ? a : b, small = a_larger ? b : a;
  const int error = sign_of(small - (nearest - large));
  return zero_sum<toward>(moved<toward>(nearest, error), error, std::signbit(a) != std::signbit(b));
}

template <Toward toward>
double multiply_rounded(double a, double b) {
  constexpr double least_safe = 0x1p-960;
  const double nearest = a * b;
  if (std::abs(nearest) >= least_safe) return moved<toward>(nearest, sign_of(std::fma(a, b, -nearest)));
  const SplitDouble x(a), y(b);
  const double scaled = std::ldexp(nearest, -(x.exponent + y.exponent));
  return moved<toward>(nearest, sign_of(std::fma(x.mantissa, y.mantissa, -scaled)));
}

template <Toward toward>
double divide_rounded(double a, double b) {
  const double nearest = a / b;
  if (is_moderate(a) && is_moderate(b)) {
    const int error = sign_of(std::fma(-nearest, b, a));
    return moved<toward>(nearest, std::signbit(b) ? -error : error);
  }
  const SplitDouble x(a), y(b);
  const double scaled = std::ldexp(nearest, y.exponent - x.exponent);
  const int error = sign_of(std::fma(-scaled, y.mantissa, x.mantissa));
  return moved<toward>(nearest, std::signbit(b) ? -error : error);
}

template <Toward toward>
double root_rounded(double a) {
  constexpr double least_safe = 0x1p-900, up = 0x1p200, root_of_up = 0x1p100;
  const double nearest = std::sqrt(a);
  const bool small = a < least_safe;
  const double root = small ? nearest * root_of_up : nearest;
  return moved<toward>(nearest, sign_of(std::fma(-root, root, small ? a * up : a)));
}

/// Sign of a * b + c - nearest, where nearest is the nearest f64 of a * b + c.
inline int error_of_fused(double a, double b, double c, double nearest) {
  if (is_moderate(a) && is_moderate(b) && is_moderate(c)) {
    const double product = a * b;
    return sign_of_sum(std::array{std::fma(a, b, -product), product, c, -nearest});
  }
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c) || a == 0 || b == 0) return 0;
  if (std::isinf(nearest)) return -sign_of(nearest);
  constexpr int far = 900;  // powers of two between terms, from which on the smaller one is only a sign
  const SplitDouble x(a), y(b), z(c);
  const int exponent = x.exponent + y.exponent;  // of the product, whose mantissa is in [0.25, 1)
  const double scaled = std::ldexp(nearest, -exponent);
  const double high = x.mantissa * y.mantissa, low = std::fma(x.mantissa, y.mantissa, -high);
  if (c != 0 && z.exponent - exponent > far) return sign_of(high);
  if (c == 0 || z.exponent - exponent < -far) {
    const int error = sign_of(std::fma(x.mantissa, y.mantissa, -scaled));
    return error != 0 ? error : sign_of(c);
  }
  return sign_of_sum(std::array{low, high, std::ldexp(c, -exponent), -scaled});
}

template <Toward toward>
double fused_rounded(double a, double b, double c) {
  const double nearest = std::fma(a, b, c);
  const int error = error_of_fused(a, b, c, nearest);
  const bool signs_differ = (std::signbit(a) != std::signbit(b)) != std::signbit(c);
  return zero_sum<toward>(moved<toward>(nearest, error), error, signs_differ);
}

}  // namespace warpwalk::gpu::alu

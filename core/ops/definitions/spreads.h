#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ops/definitions/accuracy.h"

namespace warpwalk::ops {

// Formulas that several ops use to carry errors through (Higham, "Accuracy and stability of numerical
// algorithms", 3.3).

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// The largest magnitude that the value may have.
inline double magnitude(const Approximate& x) { return std::abs(x.value) + x.error; }

/// x'y' - xy = x (y' - y) + y (x' - x) + (x' - x)(y' - y)
inline double product_difference(const Approximate& x, const Approximate& y) {
  return std::abs(x.value) * y.error + std::abs(y.value) * x.error + x.error * y.error;
}

/// x'/y' - x/y = ((x' - x) - (y' - y) x/y) / y', and |y'| is at least |y| - its error. Infinite if y' may be 0.
inline double quotient_difference(const Approximate& x, const Approximate& y) {
  const double nearest = std::abs(y.value) - y.error;
  return nearest > 0 ? (x.error + std::abs(x.value / y.value) * y.error) / nearest : infinite;
}

/// A function that rises or falls steadily between x - error and x + error differs most at one of the ends.
template <class F>
double monotone_difference(F f, const Approximate& x) {
  if (x.error == 0) return 0;
  const double at = f(x.value);
  return std::max(std::abs(f(x.value + x.error) - at), std::abs(f(x.value - x.error) - at));
}

}  // namespace warpwalk::ops

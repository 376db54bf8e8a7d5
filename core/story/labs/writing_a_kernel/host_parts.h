#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpwalk::story {

/// An op in place, told or not told in its schema, after y was kept for a backward: y = x * 1, square = y * y, then
/// leaky_(y), then backward from square. With warpwalk's own dispatcher and autograd.
struct AliasTrial {
  std::uint32_t version_before = 0, version_after = 0;  ///< of y
  std::string message;                                  ///< why the backward was refused; empty: it was not
  std::vector<double> gradient;                         ///< of x, if it was not
  std::vector<double> right;                            ///< what it should be: 2 x
};
AliasTrial try_alias(bool told, double slope);

/// Gradients of leaky_relu at some points: of autograd, and by differences of the op itself.
struct DerivativeTrial {
  std::vector<double> x, autograd, differences;
  std::string message;  ///< why backward was refused; then `autograd` is empty
};
/// `recorded`: the op has a derivative; otherwise an op that is the same but has none is called.
DerivativeTrial try_derivative(bool recorded, double slope);

/// h of the differences (f(x + h) - f(x - h)) / 2h.
inline constexpr double difference_step = 1.0 / 1024;

}  // namespace warpwalk::story

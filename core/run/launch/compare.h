#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/ops/tensor/dtype.h"

namespace warpwalk::run {

struct Tolerance {
  double rtol = 0;  ///< relative to the expected value
  double atol = 0;
};

struct Mismatch {
  std::uint64_t index = 0;  ///< index of the element
  std::string got, want;
};

/// The differences between a buffer and its expected contents. Elements match if |got - want| <= atol + rtol * |want|.
/// NaN matches NaN (with any bits); an infinity matches only itself. With rtol = atol = 0, all other elements match
/// only if their bits are equal, so that 0 and -0 differ.
struct Comparison {
  bool match = true;
  std::uint64_t mismatches = 0;
  double max_abs_error = 0;   ///< over all elements with two finite values
  std::uint64_t max_ulp = 0;  ///< the same, in units in the last place (integers: the difference)
  std::optional<Mismatch> first;
};

/// Both spans hold the same number of whole elements of the type.
Comparison compare(ops::DType dtype, std::span<const std::uint8_t> got, std::span<const std::uint8_t> want,
                   const Tolerance& tolerance);

}  // namespace warpwalk::run

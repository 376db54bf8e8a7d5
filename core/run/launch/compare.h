#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/ops/tensor/dtype.h"

namespace warpwalk::run {

struct Tolerance {
  double rtol = 0;  ///< relative to what is wanted
  double atol = 0;
};

struct Mismatch {
  std::uint64_t index = 0;  ///< of the element
  std::string got, want;
};

/// How a buffer differs from what was expected. Elements match where |got - want| <= atol + rtol * |want|. Not-a-number
/// matches not-a-number (whatever its bits), an infinity only itself. With rtol = atol = 0 all other elements match
/// where their bits do, so that 0 and -0 differ.
struct Comparison {
  bool match = true;
  std::uint64_t mismatches = 0;
  double max_abs_error = 0;   ///< over elements where both are finite, matching ones too
  std::uint64_t max_ulp = 0;  ///< the same, counted in values of the type that lie between (integers: the difference)
  std::optional<Mismatch> first;
};

/// Both hold whole elements of the type, as many as each other.
Comparison compare(ops::DType dtype, std::span<const std::uint8_t> got, std::span<const std::uint8_t> want,
                   const Tolerance& tolerance);

}  // namespace warpwalk::run

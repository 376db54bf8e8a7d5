#pragma once

#include <limits>

#include "core/ops/tensor/dtype.h"

namespace warpwalk::ops {

/// Binary digits of a floating-point type's significand, and its range.
struct FloatFormat {
  int digits = 53;
  int lowest = -1074;  ///< exponent of the smallest positive value
  double largest = std::numeric_limits<double>::max();
};

constexpr FloatFormat format_of(DType dtype) {
  switch (dtype) {
    case DType::f16: return {11, -24, 65504};
    case DType::bf16: return {8, -133, 0x1.fep127};
    case DType::f32: return {24, -149, std::numeric_limits<float>::max()};
    default: return {};
  }
}

}  // namespace warpwalk::ops

#pragma once

#include <type_traits>

namespace warpwalk::ops {

/// The larger of two values, as kernels/larger.cuh: NaN is larger than all others, and 0 than -0.
template <class M>
M larger(M a, M b) {
  if constexpr (std::is_floating_point_v<M>) {
    if (a != a) return a;
    if (b != b) return b;
    if (a == b) return a == 0 ? a + b : a;
  }
  return a > b ? a : b;
}

}  // namespace warpwalk::ops

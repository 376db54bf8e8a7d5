#pragma once

#include "core/gpu/alu/floating/floats.h"

/// min and max with PTX semantics: a number wins over NaN, and -0 is less than +0.
namespace warpwalk::gpu::alu {

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

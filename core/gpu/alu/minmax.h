#pragma once

#include "core/gpu/alu/floats.h"

/// min and max as PTX has them: a NaN loses against a number, -0 is less than +0.
namespace warpwalk::gpu::alu {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, u32, u64>;

enum class Extreme { least, greatest };

/// The lesser or greater of two numbers; b where a is NaN, a where b is.
template <Extreme E, class T>
inline T extreme(T a, T b) {
  const auto x = std::bit_cast<BitsOf<T>>(a);
  const auto y = std::bit_cast<BitsOf<T>>(b);
  const auto zeros = std::bit_cast<T>(E == Extreme::least ? x | y : x & y);  // of a == b: they differ in sign at most
  const T ordered = E == Extreme::least ? (a < b ? a : b) : (a > b ? a : b);
  const T number = a == b ? zeros : ordered;
  return b != b ? a : a != a ? b : number;
}

}  // namespace warpwalk::gpu::alu

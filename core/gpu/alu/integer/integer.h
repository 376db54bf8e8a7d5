#pragma once

// This folder computes integer, bit and video instructions. core/gpu/alu/machine computes those
// that only machine code has.

#include <limits>
#include <type_traits>

#include "core/gpu/alu/per_lane.h"

/// Integer arithmetic that wraps like the GPU's, without undefined behavior in C++.
namespace warpwalk::gpu::alu {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

/// The unsigned type for wrapping arithmetic on T. It has at least 32 bits, because 16-bit values would be promoted to
/// int, whose overflow is undefined.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) < 4, u32, Unsigned<T>>;

__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

/// The type with twice the width.
template <class T>
using Double =
    std::conditional_t<std::is_signed_v<T>,
                       std::conditional_t<sizeof(T) == 2, s32, std::conditional_t<sizeof(T) == 4, s64, s128>>,
                       std::conditional_t<sizeof(T) == 2, u32, std::conditional_t<sizeof(T) == 4, u64, u128>>>;

template <class T>
inline T add(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
}

template <class T>
inline T subtract(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
}

template <class T>
inline T multiply_low(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}

template <class T>
inline Double<T> multiply_wide(T a, T b) {
  return static_cast<Double<T>>(a) * static_cast<Double<T>>(b);
}

template <class T>
inline T multiply_high(T a, T b) {
  return static_cast<T>(multiply_wide(a, b) >> (8 * sizeof(T)));
}

template <class T>
inline T negate(T a) {
  return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a));
}

template <class T>
inline T absolute(T a) {
  return a < 0 ? negate(a) : a;
}

template <class T>
inline T minimum(T a, T b) {
  return b < a ? b : a;
}

template <class T>
inline T maximum(T a, T b) {
  return a < b ? b : a;
}

/// Returns the value of T that is nearest to `value` of a wider type.
template <class T, class W>
inline T clamp_to(W value) {
  constexpr W low = std::numeric_limits<T>::min();
  constexpr W high = std::numeric_limits<T>::max();
  return static_cast<T>(value < low ? low : value > high ? high : value);
}

}  // namespace warpwalk::gpu::alu

#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/ptx/instruction.h"

/// Reference rounding that is independent of the code under test: with 128-bit integers, or by searching all numbers of
/// a format.
namespace warpwalk::gpu::reference {

__extension__ typedef __int128 Wide;

/// Every direction of rounding.
inline constexpr ptx::Rounding rounding_directions[] = {ptx::Rounding::rn, ptx::Rounding::rz, ptx::Rounding::rm,
                                                        ptx::Rounding::rp};

/// Returns value / 2^scale rounded to `precision` bits, |value| < 2^126. No subnormals, no overflow.
inline long double rounded(Wide value, int scale, int precision, ptx::Rounding rounding) {
  const bool negative = value < 0;
  Wide magnitude = negative ? -value : value;
  int length = 0;
  while (length < 127 && (magnitude >> length) != 0) ++length;
  const int cut = length - precision;
  if (cut > 0) {
    const Wide unit = Wide{1} << cut;
    const Wide rest = magnitude % unit;
    magnitude -= rest;
    bool up = false;
    if (rounding == ptx::Rounding::rn) up = rest * 2 > unit || (rest * 2 == unit && (magnitude >> cut) % 2 != 0);
    if (rounding == ptx::Rounding::rm) up = negative && rest != 0;
    if (rounding == ptx::Rounding::rp) up = !negative && rest != 0;
    if (up) magnitude += unit;
  }
  const long double result = std::ldexp(static_cast<long double>(magnitude), -scale);
  return negative ? -result : result;
}

/// Returns the value of bits in a format with subnormals, in which the highest exponent encodes NaN and infinity.
inline double decoded(std::uint64_t bits, int exponent_bits, int fraction_bits) {
  const double fraction = static_cast<double>(bits & ((std::uint64_t{1} << fraction_bits) - 1));
  const auto exponent = static_cast<int>(bits >> fraction_bits & ((std::uint64_t{1} << exponent_bits) - 1));
  const int bias = (1 << (exponent_bits - 1)) - 1;
  double value = 0;
  if (exponent == (1 << exponent_bits) - 1)
    value = fraction == 0 ? HUGE_VAL : std::nan("");
  else if (exponent == 0)
    value = std::ldexp(fraction, 1 - bias - fraction_bits);
  else
    value = std::ldexp(std::ldexp(1.0, fraction_bits) + fraction, exponent - bias - fraction_bits);
  return (bits >> (exponent_bits + fraction_bits) & 1) != 0 ? -value : value;
}

/// Returns every non-negative finite number of a format of at most 16 bits, in order. The index of a number is its
/// bits.
inline std::vector<double> numbers(int exponent_bits, int fraction_bits, std::uint64_t largest) {
  std::vector<double> result;
  for (std::uint64_t bits = 0; bits <= largest; ++bits) result.push_back(decoded(bits, exponent_bits, fraction_bits));
  return result;
}

/// Returns the index of a magnitude in `all`, rounded; one past the end if it is too large (`step` is the distance
/// after the largest). The magnitude must be exact.
inline std::size_t place(const std::vector<double>& all, long double magnitude, bool negative, ptx::Rounding rounding) {
  const double last = all.back();
  const double step = last - all[all.size() - 2];
  if (magnitude >= static_cast<long double>(last) + step) return all.size();
  std::size_t low = 0;
  std::size_t high = all.size();  // all[low] <= magnitude < all[high]
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (all[middle] <= magnitude ? low : high) = middle;
  }
  if (all[low] == magnitude) return low;
  const long double next = low + 1 < all.size() ? all[low + 1] : static_cast<long double>(last) + step;
  const long double below = magnitude - all[low];
  const long double above = next - magnitude;
  bool up = false;
  if (rounding == ptx::Rounding::rn) up = above < below || (above == below && low % 2 == 1);
  if (rounding == ptx::Rounding::rm) up = negative;
  if (rounding == ptx::Rounding::rp) up = !negative;
  return up ? low + 1 : low;
}

}  // namespace warpwalk::gpu::reference

#include "core/run/launch/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace warpwalk::run {
namespace {

struct ElementDifference {
  bool match = false;
  double error = 0;
  std::uint64_t ulp = 0;
};

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

/// The distance between two floating-point values in ulp, from their bits: adjacent values differ by 1; 0 and -0 are
/// equal.
std::uint64_t ulp_between(ops::DType dtype, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes_of(dtype) - 1);
  const std::uint64_t a_size = a & ~sign, b_size = b & ~sign;
  return ((a ^ b) & sign) != 0 ? a_size + b_size : distance(a_size, b_size);
}

ElementDifference float_difference(ops::DType dtype, std::uint64_t got_bits, std::uint64_t want_bits,
                                   const Tolerance& tolerance) {
  const double got = float_value(dtype, got_bits), want = float_value(dtype, want_bits);
  if (std::isnan(got) || std::isnan(want)) return {std::isnan(got) && std::isnan(want), 0, 0};
  if (std::isinf(got) || std::isinf(want)) return {got == want, 0, 0};
  ElementDifference difference;
  difference.error = std::min(std::abs(got - want), std::numeric_limits<double>::max());
  difference.ulp = ulp_between(dtype, got_bits, want_bits);
  difference.match = tolerance.rtol == 0 && tolerance.atol == 0
                         ? got_bits == want_bits
                         : difference.error <= tolerance.atol + tolerance.rtol * std::abs(want);
  return difference;
}

ElementDifference whole_difference(ops::DType dtype, std::uint64_t got, std::uint64_t want,
                                   const Tolerance& tolerance) {
  double size = static_cast<double>(want);
  ElementDifference difference;
  if (is_signed(dtype)) {
    const int unused = 64 - 8 * static_cast<int>(bytes_of(dtype));
    const std::int64_t a = static_cast<std::int64_t>(got << unused) >> unused;
    const std::int64_t b = static_cast<std::int64_t>(want << unused) >> unused;
    difference.ulp = a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                           : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
    size = std::abs(static_cast<double>(b));
  } else {
    difference.ulp = distance(got, want);
  }
  difference.error = static_cast<double>(difference.ulp);
  difference.match = got == want || difference.error <= tolerance.atol + tolerance.rtol * size;
  return difference;
}

}  // namespace

Comparison compare(ops::DType dtype, std::span<const std::uint8_t> got, std::span<const std::uint8_t> want,
                   const Tolerance& tolerance) {
  Comparison result;
  const std::size_t bytes = bytes_of(dtype);
  const std::size_t count = std::min(got.size(), want.size()) / bytes;
  if (count == 0) return result;  // memcmp requires data
  if (std::memcmp(got.data(), want.data(), count * bytes) == 0) return result;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* const a = got.data() + i * bytes;
    const std::uint8_t* const b = want.data() + i * bytes;
    if (std::memcmp(a, b, bytes) == 0) continue;
    const std::uint64_t a_bits = load_bits(dtype, a), b_bits = load_bits(dtype, b);
    const ElementDifference difference = is_float(dtype) ? float_difference(dtype, a_bits, b_bits, tolerance)
                                                         : whole_difference(dtype, a_bits, b_bits, tolerance);
    result.max_abs_error = std::max(result.max_abs_error, difference.error);
    result.max_ulp = std::max(result.max_ulp, difference.ulp);
    if (difference.match) continue;
    ++result.mismatches;
    if (!result.first) result.first = Mismatch{i, text_of(dtype, a_bits), text_of(dtype, b_bits)};
  }
  result.match = result.mismatches == 0;
  return result;
}

}  // namespace warpwalk::run

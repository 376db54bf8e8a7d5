#include "core/gpu/texture/filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/gpu/texture/texel.h"

namespace warpwalk::gpu {
namespace {

std::uint32_t half_up(std::uint32_t product) { return (product + 128) >> 8; }
std::uint32_t half_down(std::uint32_t product) { return (product + 127) >> 8; }

struct FloatFormat {
  int fraction_bits;
  int lowest_exponent;  ///< of a normal number
  double overflow;      ///< from here on, the result is infinite
};
constexpr FloatFormat half_format{10, -14, 65520.0};
constexpr FloatFormat single_format{23, -126, 0x1.ffffffp127};

int exponent_of(double value, int lowest) { return value == 0 ? lowest : std::max(std::ilogb(value), lowest); }

double value_of(TexelType type, std::int64_t bits) {
  if (type == TexelType::f16) return float_of_half(static_cast<std::uint16_t>(bits));
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

/// Rounds sum + rest half away from zero. `rest` is too small to be part of `sum`, so it only decides ties.
float rounded(double sum, double rest, const FloatFormat& format) {
  const int unit = exponent_of(sum, format.lowest_exponent) - format.fraction_bits;
  const double scaled = std::ldexp(std::fabs(sum), -unit);
  double whole = std::floor(scaled);
  const double part = scaled - whole;
  const bool below_tie = rest != 0 && (rest < 0) != (sum < 0);
  if (part > 0.5 || (part == 0.5 && !below_tie)) whole += 1;
  const double size = std::ldexp(whole, unit);
  const auto result = size >= format.overflow ? std::numeric_limits<float>::infinity() : static_cast<float>(size);
  return std::signbit(sum) ? -result : result;
}

float filtered_floats(TexelType type, std::span<const std::array<WeightedChannel, 4>> images) {
  const FloatFormat& format = type == TexelType::f16 ? half_format : single_format;
  constexpr int guard_bits = 4;
  double sum = 0, rest = 0, plain = 0;
  bool finite = true;
  for (const auto& image : images) {
    int exponent = format.lowest_exponent;
    for (const WeightedChannel& texel : image) {
      if (texel.weight == 0) continue;
      const double value = value_of(type, texel.value);
      finite = finite && std::isfinite(value);
      plain += value * texel.weight;
      if (std::isfinite(value)) exponent = std::max(exponent, exponent_of(value, format.lowest_exponent));
    }
    if (!finite) continue;
    const int unit = exponent - format.fraction_bits - guard_bits;
    double image_sum = 0;  // exact: less than 40 bits
    for (const WeightedChannel& texel : image) {
      if (texel.weight == 0) continue;
      image_sum += std::trunc(std::ldexp(value_of(type, texel.value), -unit)) * texel.weight;
    }
    const double scaled = std::ldexp(image_sum, unit - 8);
    // The exact error of a floating-point sum (Knuth's TwoSum).
    const double total = sum + scaled;
    const double other = total - sum;
    rest += (sum - (total - other)) + (scaled - other);
    sum = total;
  }
  if (!finite) return static_cast<float>(plain / 256);
  return rounded(sum, rest, format);
}

/// An 8-bit signed sum, in units of 1/(127 * 256), in units of 1/32767.
std::int64_t rescaled(std::int64_t sum) { return sum + (((sum >> 4) + (sum >> 12) + 4) >> 3); }

float filtered_integers(TexelType type, std::span<const std::array<WeightedChannel, 4>> images) {
  std::int64_t sum = 0;
  for (const auto& image : images)
    for (const WeightedChannel& texel : image) sum += texel.value * texel.weight;
  switch (type) {
    case TexelType::u8: return static_cast<float>(static_cast<double>((sum * 257 + 128) >> 8) / 65535);
    case TexelType::u16: return static_cast<float>(static_cast<double>((sum + 128) >> 8) / 65535);
    case TexelType::s8:
      return static_cast<float>(static_cast<double>(std::max<std::int64_t>(rescaled(sum), -32767)) / 32767);
    case TexelType::s16:
      return static_cast<float>(static_cast<double>(std::max<std::int64_t>((sum + 128) >> 8, -32767)) / 32767);
    default: return 0;  // 32-bit integers have no linear filter
  }
}

}  // namespace

std::array<std::uint32_t, 4> image_weights(std::uint32_t total, std::uint32_t x_weight, std::uint32_t y_weight) {
  const std::uint32_t right = half_up(total * x_weight);
  const std::uint32_t left = total - right;
  const std::uint32_t lower_right = half_up(right * y_weight);
  const std::uint32_t lower_left = half_down(left * y_weight);
  return {left - lower_left, right - lower_right, lower_left, lower_right};
}

float filtered(TexelType type, std::span<const std::array<WeightedChannel, 4>> images) {
  if (type == TexelType::f16 || type == TexelType::f32) return filtered_floats(type, images);
  return filtered_integers(type, images);
}

}  // namespace warpwalk::gpu

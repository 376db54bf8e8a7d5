#include "core/gpu/texture/texel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace warpwalk::gpu {
namespace {

/// Rounds toward zero, and so never to infinity, as a formatted store does on an H200
/// (tests/cases/surface_conversions).
std::uint16_t half_of_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  if (std::isnan(value)) {
    const std::uint32_t payload = bits >> 13 & 0x3ff;
    return static_cast<std::uint16_t>(sign | 0x7c00 | (payload != 0 ? payload : 0x200));
  }
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | 0x7c00);
  const float size = std::min(std::fabs(value), 65504.0F);
  if (size == 0) return sign;
  // Below 2^-14 the result is denormal: a multiple of 2^-24.
  int exponent = 0;
  std::frexp(size, &exponent);
  const int unit = std::max(exponent - 11, -24);
  const auto whole = static_cast<std::uint32_t>(std::ldexp(size, -unit));
  return static_cast<std::uint16_t>(sign | ((static_cast<std::uint32_t>(unit + 24) << 10) + whole));
}

template <class Integer>
Integer load(const std::uint8_t* from) {
  Integer value{};
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class Integer>
std::int64_t saturated(double value) {
  if (std::isnan(value)) return 0;
  return static_cast<std::int64_t>(std::clamp(value, static_cast<double>(std::numeric_limits<Integer>::min()),
                                              static_cast<double>(std::numeric_limits<Integer>::max())));
}

std::int64_t saturated(TexelType type, double value) {
  switch (type) {
    case TexelType::u8: return saturated<std::uint8_t>(value);
    case TexelType::s8: return saturated<std::int8_t>(value);
    case TexelType::u16: return saturated<std::uint16_t>(value);
    case TexelType::s16: return saturated<std::int16_t>(value);
    case TexelType::s32: return saturated<std::int32_t>(value);
    default: return saturated<std::uint32_t>(value);
  }
}

std::uint32_t normalized_bits(TexelType type, std::int64_t value) {
  const auto scale = static_cast<double>(normalized_scale(type));
  // The quotient of two integers of at most 16 bits is far from the middle of two floats, so rounding twice is exact.
  return std::bit_cast<std::uint32_t>(static_cast<float>(std::max(static_cast<double>(value) / scale, -1.0)));
}

}  // namespace

float float_of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  float size = 0;
  if (exponent == 31)
    size = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  else if (exponent == 0)
    size = std::ldexp(static_cast<float>(fraction), -24);
  else
    size = std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

std::int32_t normalized_scale(TexelType type) {
  switch (type) {
    case TexelType::u8: return 255;
    case TexelType::s8: return 127;
    case TexelType::u16: return 65535;
    case TexelType::s16: return 32767;
    default: return 0;
  }
}

std::int64_t channel_value(TexelType type, const std::uint8_t* channel) {
  switch (type) {
    case TexelType::u8: return *channel;
    case TexelType::s8: return load<std::int8_t>(channel);
    case TexelType::u16:
    case TexelType::f16: return load<std::uint16_t>(channel);
    case TexelType::s16: return load<std::int16_t>(channel);
    case TexelType::s32: return load<std::int32_t>(channel);
    default: return load<std::uint32_t>(channel);
  }
}

TexelBits read_texel(TexelFormat format, bool normalized_float, const std::uint8_t* texel) {
  TexelBits bits{};
  for (std::uint32_t c = 0; c < format.channels; ++c) {
    const std::int64_t value = channel_value(format.type, texel + c * format.channel_bytes());
    if (format.type == TexelType::f16)
      bits[c] = std::bit_cast<std::uint32_t>(float_of_half(static_cast<std::uint16_t>(value)));
    else if (normalized_float && normalized_scale(format.type) != 0)
      bits[c] = normalized_bits(format.type, value);
    else
      bits[c] = static_cast<std::uint32_t>(value);
  }
  return bits;
}

void encode_border(TexelFormat format, bool normalized_float, const std::array<float, 4>& border, std::uint8_t* texel) {
  for (std::uint32_t c = 0; c < format.channels; ++c) {
    const std::int32_t scale = normalized_float ? normalized_scale(format.type) : 0;
    auto bits = std::bit_cast<std::uint32_t>(border[c]);
    if (scale != 0)
      bits =
          static_cast<std::uint32_t>(saturated(format.type, std::floor(static_cast<double>(border[c]) * scale + 0.5)));
    else if (format.type == TexelType::f16)
      bits = half_of_float(border[c]);
    std::memcpy(texel + c * format.channel_bytes(), &bits, format.channel_bytes());
  }
}

void write_texel(TexelFormat format, const TexelBits& values, std::uint8_t* texel) {
  for (std::uint32_t c = 0; c < format.channels; ++c) {
    const std::uint32_t bits = values[c];
    std::uint32_t stored = bits;
    const bool is_signed =
        format.type == TexelType::s8 || format.type == TexelType::s16 || format.type == TexelType::s32;
    if (format.type == TexelType::f16)
      stored = half_of_float(std::bit_cast<float>(bits));
    else if (format.type != TexelType::f32)
      stored = static_cast<std::uint32_t>(saturated(
          format.type, is_signed ? static_cast<double>(static_cast<std::int32_t>(bits)) : static_cast<double>(bits)));
    std::memcpy(texel + c * format.channel_bytes(), &stored, format.channel_bytes());
  }
}

}  // namespace warpwalk::gpu

#pragma once

#include <cstdint>

#include "core/gpu/texture/texture.h"

namespace warpwalk::gpu {

/// Reads a texel as an instruction returns it: floats, or integers extended to 32 bits. Integer formats become floats
/// if `normalized_float`. Channels that the format lacks are 0.
TexelBits read_texel(TexelFormat format, bool normalized_float, const std::uint8_t* texel);

/// Writes the border colour as a texel of this format. Floats are rounded to the format. For 8-bit and 16-bit integers
/// read as floats, a colour of 1 becomes the largest value; integers read as integers get the low bits of the colour.
void encode_border(TexelFormat format, bool normalized_float, const std::array<float, 4>& border, std::uint8_t* texel);

/// Writes a texel from 32-bit registers, converted to the format as a formatted surface store (sust.p) does.
void write_texel(TexelFormat format, const TexelBits& values, std::uint8_t* texel);

/// One channel as a signed integer; of a float format, its bits.
std::int64_t channel_value(TexelType type, const std::uint8_t* channel);

/// The largest value of a normalized format: 255, 127, 65535 or 32767. 0 for other types.
std::int32_t normalized_scale(TexelType type);

float float_of_half(std::uint16_t bits);

}  // namespace warpwalk::gpu

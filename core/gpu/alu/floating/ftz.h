#pragma once

#include "core/gpu/alu/floating/floats.h"
#include "core/gpu/alu/floating/fused.h"

/// Rules for when .ftz flushes an f32 result to zero: if the result is below the smallest normal number after rounding
/// to 24 bits with an unbounded exponent (observed on an H200). This is detected by repeating the operation with the
/// result scaled by 2^60, which works in any rounding mode. If the scaled result is infinite or NaN, the result is not
/// tiny.
namespace warpwalk::gpu::alu {

constexpr float scale = 0x1p60F;
constexpr float min_normal_scaled = 0x1p-66F;

inline float magnitude_of(float x) { return f32_of(bits_of(x) & 0x7fffffffU); }

/// Two factors, the smaller one scaled. It does not overflow if the product is small.
struct Scaled {
  float a, b;
};
inline Scaled scaled(float a, float b) {
  const bool first = magnitude_of(a) < magnitude_of(b);
  return {first ? a * scale : a, first ? b : b * scale};
}

inline bool tiny_product(float a, float b) {
  const Scaled factors = scaled(a, b);
  return magnitude_of(factors.a * factors.b) < min_normal_scaled;
}

inline bool tiny_quotient(float a, float b) { return magnitude_of(a * scale / b) < min_normal_scaled; }

/// Returns a zero with the sign of the result if it is tiny.
inline float flush_if_tiny(bool tiny, float result) {
  return tiny ? f32_of(bits_of(result) & 0x80000000U) : flushed(result);
}

}  // namespace warpwalk::gpu::alu

#pragma once

#include "core/gpu/alu/floats.h"
#include "core/gpu/alu/fused.h"

/// When .ftz makes an f32 result a zero: where it is below the smallest normal number once it is rounded to 24 bits, as
/// if there were no smallest exponent (seen on an H200). The same operation with its result 2^60 times as large shows
/// it, in any rounding mode; where that is infinite or not a number, the result is far from tiny.
namespace warpwalk::gpu::alu {

constexpr float scale = 0x1p60F;
constexpr float least_normal_scaled = 0x1p-66F;

inline float magnitude_of(float x) { return f32_of(bits_of(x) & 0x7fffffffU); }

/// Two factors with the smaller one scaled: it has room where the product is small.
struct Scaled {
  float a, b;
};
inline Scaled scaled(float a, float b) {
  const bool first = magnitude_of(a) < magnitude_of(b);
  return {first ? a * scale : a, first ? b : b * scale};
}

inline bool tiny_product(float a, float b) {
  const Scaled factors = scaled(a, b);
  return magnitude_of(factors.a * factors.b) < least_normal_scaled;
}

inline bool tiny_quotient(float a, float b) { return magnitude_of(a * scale / b) < least_normal_scaled; }

/// A zero with the result's sign where it is tiny.
inline float flushed_where(bool tiny, float result) {
  return tiny ? f32_of(bits_of(result) & 0x80000000U) : flushed(result);
}

}  // namespace warpwalk::gpu::alu

#pragma once

#include "core/gpu/alu/floating/special_function.h"

/// PTX's .approx as ptxas compiles it: a function of the special function unit, with the argument scaled where it or
/// the result would be subnormal.
namespace warpwalk::gpu::alu {

constexpr float smallest_normal_f32 = 0x1p-126F;

/// Converts an argument of sin or cos to turns as the GPU does: multiplied by 1 / (2 pi) in f32, rounded toward zero
/// and flushed. For large arguments this step, not the function itself, determines the error of the result.
inline float turns_of(float x) {
  const double product = static_cast<double>(x) * static_cast<double>(0x1.45f306p-3F);
  const auto rounded = static_cast<float>(product);
  const double magnitude = f64_of(bits_of(product) & 0x7fffffffffffffffU);
  const bool above = static_cast<double>(f32_of(bits_of(rounded) & 0x7fffffffU)) > magnitude;
  return flushed(f32_of(above ? bits_of(rounded) - 1 : bits_of(rounded)));
}

inline float sine_of(float x) { return special::sine(turns_of(x)); }
inline float cosine_of(float x) { return special::cosine(turns_of(x)); }

inline bool is_subnormal(float x) { return f32_of(bits_of(x) & 0x7fffffffU) < smallest_normal_f32; }

inline float reciprocal_of(float x) {
  constexpr float large = 0x1p126F, up = 0x1p24F, down = 0.25F;
  const float by = f32_of(bits_of(x) & 0x7fffffffU) > large ? down : is_subnormal(x) ? up : 1;
  return special::reciprocal(x * by) * by;
}
inline float inverse_root_of(float x) {
  return is_subnormal(x) ? special::inverse_root(x * 0x1p24F) * 0x1p12F : special::inverse_root(x);
}
inline float root_of(float x) { return is_subnormal(x) ? special::root(x * 0x1p24F) * 0x1p-12F : special::root(x); }
inline float logarithm_of(float x) {
  return is_subnormal(x) ? special::logarithm(x * 0x1p24F) - 24 : special::logarithm(x);
}
inline float power_of_two_of(float x) {
  if (!(x < -126)) return special::power_of_two(x);
  const float half = special::power_of_two(x * 0.5F);
  return half * half;
}

}  // namespace warpwalk::gpu::alu

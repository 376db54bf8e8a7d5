#pragma once

#include "core/gpu/alu/floating/floats.h"

/// Conversions between f16 or bf16 and f32. They are branch-free, so that loops over them vectorize.
namespace warpwalk::gpu::alu {

struct F16 {
  u16 bits;
};
struct Bf16 {
  u16 bits;
};

/// Exact. NaN maps to an unspecified NaN.
inline float widen(F16 x) {
  const u32 magnitude = x.bits & 0x7fffU;
  // Read as an f32, the bits are 2^112 times too small. The product is exact, also for subnormals.
  const u32 scaled = bits_of(f32_of(magnitude << 13) * 0x1p112F);
  const u32 special = magnitude << 13 | 0x7f800000U;
  return f32_of((magnitude >= 0x7c00U ? special : scaled) | static_cast<u32>(x.bits & 0x8000U) << 16);
}

inline float widen(Bf16 x) { return f32_of(static_cast<u32>(x.bits) << 16); }

/// Rounds to nearest even. NaN becomes 0x7fff.
inline F16 narrow_f16(float x) {
  const u32 bits = bits_of(x);
  const u32 magnitude = bits & 0x7fffffffU;
  const u32 sign = bits >> 16 & 0x8000U;
  // Below 2^-14, adding 0.5 aligns the last bit of an f16 subnormal with that of the f32, so the addition rounds.
  const u32 subnormal = bits_of(f32_of(magnitude) + 0.5F) - bits_of(0.5F);
  const u32 normal = (magnitude + 0xfffU + (magnitude >> 13 & 1U) - (112U << 23)) >> 13;
  const u32 rounded = magnitude < 0x38800000U ? subnormal : magnitude >= 0x477ff000U ? 0x7c00U : normal;
  return {static_cast<u16>(magnitude > 0x7f800000U ? nan_f16 : rounded | sign)};
}

/// Rounds to nearest even. NaN becomes 0x7fff.
inline Bf16 narrow_bf16(float x) {
  const u32 bits = bits_of(x);
  const u32 rounded = (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
  return {static_cast<u16>((bits & 0x7fffffffU) > 0x7f800000U ? nan_f16 : rounded)};
}

/// Rounds toward zero. Values too large for the type become infinite. NaN becomes 0x7fff.
inline F16 cut_f16(float x) {
  const u32 bits = bits_of(x);
  const u32 magnitude = bits & 0x7fffffffU;
  const u32 sign = bits >> 16 & 0x8000U;
  const auto subnormal =
      static_cast<u32>(static_cast<s32>((magnitude < 0x38800000U ? f32_of(magnitude) : 0.0F) * 0x1p24F));
  const u32 normal = (magnitude - (112U << 23)) >> 13;
  const u32 cut = magnitude < 0x38800000U ? subnormal : magnitude >= 0x47800000U ? 0x7c00U : normal;
  return {static_cast<u16>(magnitude > 0x7f800000U ? nan_f16 : cut | sign)};
}
inline Bf16 cut_bf16(float x) {
  const u32 bits = bits_of(x);
  return {static_cast<u16>((bits & 0x7fffffffU) > 0x7f800000U ? nan_f16 : bits >> 16)};
}

template <class H>
inline H narrow(float x) {
  if constexpr (std::is_same_v<H, F16>)
    return narrow_f16(x);
  else
    return narrow_bf16(x);
}

}  // namespace warpwalk::gpu::alu

#pragma once

#include <optional>

#include "core/gpu/alu/floating/soft_float.h"
#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {

/// The parameters of a cvt on one value. The packed form fits into AluCall::immediate.
struct Conversion {
  ptx::Type to = ptx::Type::none, from = ptx::Type::none;
  ptx::Rounding rounding = ptx::Rounding::none;
  bool ftz = false, sat = false, satfinite = false, relu = false;

  u64 packed() const {
    return static_cast<u64>(to) | static_cast<u64>(from) << 8 | static_cast<u64>(rounding) << 16 |
           static_cast<u64>(ftz) << 24 | static_cast<u64>(sat) << 25 | static_cast<u64>(satfinite) << 26 |
           static_cast<u64>(relu) << 27;
  }
  static Conversion unpacked(u64 bits) {
    return {.to = static_cast<ptx::Type>(bits & 0xff),
            .from = static_cast<ptx::Type>(bits >> 8 & 0xff),
            .rounding = static_cast<ptx::Rounding>(bits >> 16 & 0xff),
            .ftz = (bits >> 24 & 1) != 0,
            .sat = (bits >> 25 & 1) != 0,
            .satfinite = (bits >> 26 & 1) != 0,
            .relu = (bits >> 27 & 1) != 0};
  }
};

/// Converts between any two scalar types with integer arithmetic. The source value is in the low bits of `bits`. The
/// result is extended to 64 bits according to its type.
u64 convert(const Conversion& conversion, u64 bits);

bool is_integer(ptx::Type type);           ///< u8 to s64
bool is_integral(ptx::Rounding rounding);  ///< rni, rzi, rmi or rpi: to an integral value
/// The format of a scalar floating-point type, including e4m3 and e5m2; null for tf32 and other types.
const FloatFormat* format_of(ptx::Type type);

/// Returns a compiled loop over 32 lanes for a common conversion, or nullopt if there is none.
std::optional<Alu> find_fast_conversion(const Request& request, const Conversion& conversion, int d_bytes, int a_bytes);
/// Conversions to or from two packed values: f16x2, bf16x2, e4m3x2, e5m2x2.
Found find_pair_conversion(const Request& request, const Conversion& conversion);

}  // namespace warpwalk::gpu::alu

#pragma once

#include <cstdint>
#include <string_view>

namespace warpwalk::ptx {

/// The fundamental types of PTX, and the packed and alternate types of instructions (PTX ISA 9.0, "Types").
enum class Type : std::uint8_t {
  none,
  pred,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  b8,
  b16,
  b32,
  b64,
  b128,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  f32x2,
  u16x2,
  s16x2,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  u2,  ///< of cvt.pack only, like the next one
  s2,
  u4,  ///< of cvt.pack and mma, like the next one
  s4,
  b1,          ///< of mma only
  texref,      ///< of variables only
  samplerref,  ///< of variables only
  surfref,     ///< of variables only
};

/// The name after the dot, e.g. "s32"; empty for none.
std::string_view name_of(Type type);
/// Bytes of one value: 4 for f16x2, 0 for none, pred and types below 8 bits.
int bytes_of(Type type);
bool is_signed(Type type);  ///< s8 to s64, s16x2, s2, s4
bool is_float(Type type);   ///< f16 to f64, including packed and alternate formats
bool is_bits(Type type);    ///< b8 to b128

/// The state space of a variable or a memory access.
enum class Space : std::uint8_t { generic, param, constant, global, shared, local };
std::string_view name_of(Space space);

}  // namespace warpwalk::ptx

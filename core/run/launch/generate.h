#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "core/ops/tensor/dtype.h"

namespace warpwalk::run {

/// The generated contents of a buffer before the launch.
struct FillValue {
  std::uint64_t bits = 0;  ///< bits of each element
};
struct FillIota {};  ///< element i is i: integers wrap around, floats are rounded to nearest
struct FillRandom {
  std::uint64_t seed = 0;
};
using Fill = std::variant<FillValue, FillIota, FillRandom>;

/// Element `index` of the splitmix64 sequence of a seed, 64 bits each (Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", 2014):
///
///     z = seed + (index + 1) * 0x9e3779b97f4a7c15
///     z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9
///     z = (z ^ z >> 27) * 0x94d049bb133111eb
///     z ^ z >> 31
std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t index);

/// Fills a buffer of whole elements. Element i of FillRandom is computed from z = splitmix64(seed, i). The formulas
/// give the same elements on every machine and must never change, since traces store only the seed:
///
///     f64  (z >> 11) / 2^52 - 1      f16   (z >> 53) / 2^10 - 1      each exact, in [-1, 1)
///     f32  (z >> 40) / 2^23 - 1      bf16  (z >> 56) / 2^7 - 1
///     i16 i32 i64 u16 u32 u64  z mod 1000       i8 u8  the byte z mod 256
void generate(ops::DType dtype, const Fill& fill, std::span<std::uint8_t> out);

/// Element `index` of FillRandom in a type of floating-point numbers.
double random_element(ops::DType dtype, std::uint64_t seed, std::uint64_t index);
/// The same in a type of whole numbers.
std::uint64_t random_whole(ops::DType dtype, std::uint64_t seed, std::uint64_t index);

}  // namespace warpwalk::run

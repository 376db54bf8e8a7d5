#include "core/run/launch/generate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace warpwalk::run {
namespace {

template <class Bits, class Make>
void each(std::span<std::uint8_t> out, Make make) {
  for (std::uint64_t i = 0; i < out.size() / sizeof(Bits); ++i) {
    const Bits bits = static_cast<Bits>(make(i));
    std::memcpy(out.data() + i * sizeof(Bits), &bits, sizeof(Bits));
  }
}

template <class Make>
void each(ops::DType dtype, std::span<std::uint8_t> out, Make make) {
  switch (bytes_of(dtype)) {
    case 1: return each<std::uint8_t>(out, make);
    case 2: return each<std::uint16_t>(out, make);
    case 4: return each<std::uint32_t>(out, make);
    default: return each<std::uint64_t>(out, make);
  }
}

/// The top `digits` bits of z as a number in [-1, 1), a multiple of 2^(1 - digits): exact in a type with `digits`
/// significant bits.
double in_minus_one_to_one(std::uint64_t z, int digits) {
  return std::ldexp(static_cast<double>(z >> (64 - digits)), 1 - digits) - 1.0;
}

int digits_of(ops::DType dtype) {
  switch (dtype) {
    case ops::DType::f16: return 11;
    case ops::DType::bf16: return 8;
    case ops::DType::f32: return 24;
    default: return 53;
  }
}

void generate_random(ops::DType dtype, std::uint64_t seed, std::span<std::uint8_t> out) {
  if (dtype == ops::DType::f32)  // fast path for large inputs: avoids a call per element
    return each<std::uint32_t>(out, [&](std::uint64_t i) {
      const auto top = static_cast<float>(splitmix64(seed, i) >> 40);
      return std::bit_cast<std::uint32_t>(top * 0x1p-23F - 1.0F);
    });
  if (is_float(dtype))
    return each(dtype, out, [&](std::uint64_t i) {
      return float_bits(dtype, in_minus_one_to_one(splitmix64(seed, i), digits_of(dtype)));
    });
  each(dtype, out, [&](std::uint64_t i) { return random_whole(dtype, seed, i); });
}

}  // namespace

std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

double random_element(ops::DType dtype, std::uint64_t seed, std::uint64_t index) {
  return in_minus_one_to_one(splitmix64(seed, index), digits_of(dtype));
}

std::uint64_t random_whole(ops::DType dtype, std::uint64_t seed, std::uint64_t index) {
  return splitmix64(seed, index) % (bytes_of(dtype) == 1 ? 256 : 1000);
}

void generate(ops::DType dtype, const Fill& fill, std::span<std::uint8_t> out) {
  if (const auto* const random = std::get_if<FillRandom>(&fill)) return generate_random(dtype, random->seed, out);
  if (const auto* const value = std::get_if<FillValue>(&fill)) {
    if (value->bits != 0) return each(dtype, out, [&](std::uint64_t) { return value->bits; });
    std::ranges::fill(out, std::uint8_t{0});
    return;
  }
  if (!is_float(dtype)) return each(dtype, out, [](std::uint64_t i) { return i; });
  each(dtype, out, [&](std::uint64_t i) { return float_bits(dtype, static_cast<double>(i)); });
}

}  // namespace warpwalk::run

#pragma once

#include <array>

#include "core/gpu/alu/isa.h"
#include "core/gpu/alu/mma_fragment.h"
#include "core/gpu/alu/soft_float.h"

/// Sums of products as a tensor core of compute capability 9.0 makes them.
namespace warpwalk::gpu::alu {

constexpr int largest_float_k = 16;
/// The exponent of zero: lower than any other.
constexpr s32 exponent_of_zero = -100000;

enum class Special : u8 { none, infinite, nan };

/// A row of A or a column of B: element i is significand * 2^(exponent - fraction bits), the significand with its sign.
/// Elements that are not set are 0.
struct Line {
  std::array<s32, largest_float_k> significand{};
  std::array<s32, largest_float_k> exponent;
  std::array<Special, largest_float_k> special{};
  bool has_special = false;

  Line() { exponent.fill(exponent_of_zero); }
  void set(int at, const FloatFormat& format, u64 bits);
};

/// How wide the sum is. Every product, and C, is cut off below 2^(e - fraction_bits), e being the largest exponent
/// among them (of a product the sum of its factors' exponents); what is left is added exactly. With these figures every
/// one of 800,000 sums has an H200's bits.
struct Accumulator {
  static constexpr int fraction_bits = 25;
  static constexpr s32 least_exponent = -133;  ///< e is at least this
};

/// One element of D: the products of two lines, and c, in f32 rounded to zero or in f16 to nearest. What is too large
/// is infinite, what is rounded to zero +0. product_bits: fraction bits of a's elements and of b's together.
using Dot = u32 (*)(int product_bits, const Line& a, const Line& b, const FloatFormat& c_format, u32 c,
                    const FloatFormat& d_format);
Dot dot_for(Isa isa);

}  // namespace warpwalk::gpu::alu

#pragma once

#include <array>

#include "core/gpu/alu/mma_fragment.h"
#include "core/gpu/alu/soft_float.h"

/// Sums of products as a tensor core of compute capability 9.0 makes them.
namespace warpwalk::gpu::alu {

/// An element: significand * 2^(exponent - fraction bits), the significand with its sign. Of zero the exponent is lower
/// than any other.
struct Element {
  s32 significand = 0;
  s32 exponent = 0;
};
constexpr s32 exponent_of_zero = -100000;

enum class Special : u8 { none, infinite, nan };

/// A row of A or a column of B.
struct Line {
  std::array<Element, largest_k> elements{};
  std::array<Special, largest_k> special{};
  bool has_special = false;

  void set(int at, const FloatFormat& format, u64 bits);
};

/// How wide the sum is. Every product, and C, is cut off below 2^(e - fraction_bits), e being the largest exponent
/// among them (of a product the sum of its factors' exponents); what is left is added exactly. With these
/// figures every one of 800,000 sums has an H200's bits.
struct Accumulator {
  int fraction_bits = 25;
  int least_exponent = -133;  ///< e is at least this
};

/// One element of D: the products of k elements, and c, in f32 rounded to zero or in f16 to nearest. What is too large
/// is infinite, what is rounded to zero +0.
/// product_bits: fraction bits of a's elements and of b's together.
u32 dot(const Accumulator& accumulator, int product_bits, int k, const Line& a, const Line& b,
        const FloatFormat& c_format, u32 c, const FloatFormat& d_format);

}  // namespace warpwalk::gpu::alu

#pragma once

#include <array>

#include "core/gpu/alu/floating/soft_float.h"
#include "core/gpu/alu/isa.h"
#include "core/gpu/alu/matrix/mma_fragment.h"

/// Sums of products as computed by a tensor core of compute capability 9.0.
namespace warpwalk::gpu::alu {

/// The format of a factor. A tf32 is an f32 whose low 13 bits are dropped.
struct MatrixInput {
  const FloatFormat* format;
  int dropped;  ///< low bits
};
MatrixInput matrix_input(ptx::Type type);  ///< f16, bf16, e4m3, e5m2 or tf32

constexpr int max_float_k = 16;       ///< of mma.sync, and of wgmma with factors of 16 bits
constexpr int max_group_byte_k = 32;  ///< of wgmma with fp8 factors
/// The exponent of zero, lower than any other.
constexpr s32 exponent_of_zero = -100000;

enum class Special : u8 { none, infinite, nan };

/// A row of A or a column of B. Element i is significand * 2^(exponent - fraction bits); the significand is signed.
/// Elements that are not set are 0.
template <int K>
struct LineOf {
  std::array<s32, K> significand{};
  std::array<s32, K> exponent;
  std::array<Special, K> special{};
  bool has_special = false;

  LineOf() { exponent.fill(exponent_of_zero); }
  void set(int at, const FloatFormat& format, u64 bits);
};
using Line = LineOf<max_float_k>;
using ByteLine = LineOf<max_group_byte_k>;

/// The width of the accumulator. Each product, and C, is truncated below 2^(e - fraction_bits), where e is the largest
/// exponent among them (for a product, the sum of its factors' exponents). The truncated terms are added exactly. With
/// these values, all of 800,000 sums match an H200 bit for bit.
struct Accumulator {
  static constexpr int fraction_bits = 25;
  /// The same for wgmma with fp8 factors. There a sum in f32, too, is truncated to this many fraction bits: all of
  /// 147,456 sums match an H200.
  static constexpr int byte_fraction_bits = 13;
  static constexpr s32 min_exponent = -133;  ///< lower bound of e
};

/// Computes one element of D: the dot product of two lines plus c, in f32 rounded toward zero or in f16 rounded to
/// nearest. Overflow gives infinity; results that round to zero give +0. product_bits: fraction bits of a's elements
/// plus those of b's.
using Dot = u32 (*)(int product_bits, const Line& a, const Line& b, const FloatFormat& c_format, u32 c,
                    const FloatFormat& d_format);
Dot dot_for(Isa isa);

/// The same for wgmma with fp8 factors.
using ByteDot = u32 (*)(int product_bits, const ByteLine& a, const ByteLine& b, const FloatFormat& c_format, u32 c,
                        const FloatFormat& d_format);
ByteDot byte_dot_for(Isa isa);

}  // namespace warpwalk::gpu::alu

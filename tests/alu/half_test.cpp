#include "core/gpu/alu/floating/half.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/alu/reference.h"
#include "tests/alu/warp.h"

namespace warpwalk::gpu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Rounding;
using ptx::Type;
using reference::Wide;

struct HalfFormat {
  Type type, pair;
  int exponent_bits, fraction_bits;
  std::uint64_t largest;

  double value(std::uint16_t bits) const { return reference::decoded(bits, exponent_bits, fraction_bits); }
};
constexpr HalfFormat f16 = {Type::f16, Type::f16x2, 5, 10, 0x7bff};
constexpr HalfFormat bf16 = {Type::bf16, Type::bf16x2, 8, 7, 0x7f7f};

TEST(AluHalf, EveryHalfIsWidenedExactly) {
  for (const HalfFormat& format : {f16, bf16})
    for (unsigned bits = 0; bits < 65536; ++bits) {
      const auto half = static_cast<std::uint16_t>(bits);
      const double want = format.value(half);
      const float got = format.type == Type::f16 ? alu::widen(alu::F16{half}) : alu::widen(alu::Bf16{half});
      if (std::isnan(want)) {
        ASSERT_TRUE(std::isnan(got)) << bits;
      } else {
        ASSERT_EQ(static_cast<double>(got), want) << bits;
        ASSERT_EQ(std::signbit(got), (bits & 0x8000) != 0) << bits;
      }
    }
}

/// Tests each number, the midpoint to the next one, and the values just beside the midpoint.
TEST(AluHalf, EveryMiddleIsNarrowedToTheEvenNeighbour) {
  for (const HalfFormat& format : {f16, bf16}) {
    const auto narrow = [&](float x) {
      return format.type == Type::f16 ? alu::narrow_f16(x).bits : alu::narrow_bf16(x).bits;
    };
    for (std::uint16_t bits = 0; bits <= format.largest; ++bits) {
      const double here = format.value(bits);
      const double next = bits == format.largest ? 2 * here - format.value(static_cast<std::uint16_t>(bits - 1))
                                                 : format.value(static_cast<std::uint16_t>(bits + 1));
      const auto middle = static_cast<float>((here + next) / 2);
      const auto even = static_cast<std::uint16_t>(bits + (bits & 1));
      for (const unsigned sign : {0U, 0x8000U}) {
        const float turn = sign == 0 ? 1.0F : -1.0F;
        ASSERT_EQ(narrow(turn * static_cast<float>(here)), bits | sign);
        ASSERT_EQ(narrow(turn * middle), even | sign) << bits;
        ASSERT_EQ(narrow(turn * std::nextafter(middle, 0.0F)), bits | sign) << bits;
        ASSERT_EQ(narrow(turn * std::nextafter(middle, HUGE_VALF)), (bits + 1U) | sign) << bits;
      }
    }
    EXPECT_EQ(narrow(NAN), 0x7fff);
    EXPECT_EQ(narrow(HUGE_VALF), format.largest + 1);
  }
}

/// Random halves whose sums and products are exact in 128 bits. The expected result is looked up among all numbers of
/// the format.
TEST(AluHalf, ArithmeticRoundsTheExactResultOnce) {
  for (const HalfFormat& format : {f16, bf16}) {
    const auto all = reference::numbers(format.exponent_bits, format.fraction_bits, format.largest);
    const auto of = [&](Opcode opcode, int operands) {
      return alu_of({.opcode = opcode, .types = {format.pair}, .rounding = Rounding::rn, .operands = operands});
    };
    const Alu add = of(Opcode::add, 3), mul = of(Opcode::mul, 3), fma = of(Opcode::fma, 4);
    std::uint64_t state = 31;
    const auto drawn = [&] {
      const std::uint64_t random = next_random(state);
      if (format.type == Type::f16)
        return static_cast<std::uint16_t>((random & 0x7c00) == 0x7c00 ? random & 0x83ff : random);
      // bf16 with exponents from -14 to 17.
      return static_cast<std::uint16_t>((random & 0x807f) | (113 + (random >> 16) % 32) << 7);
    };
    for (int round = 0; round < 300; ++round) {
      std::array<std::uint32_t, lanes_per_warp> a, b, c;
      for (std::size_t i = 0; i < lanes_per_warp; ++i)
        a[i] = drawn() | drawn() * 65536U, b[i] = drawn() | drawn() * 65536U, c[i] = drawn() | drawn() * 65536U;
      const auto sums = ran<std::uint32_t>(add, a, b), products = ran<std::uint32_t>(mul, a, b),
                 fused = ran<std::uint32_t>(fma, a, b, c);
      for (std::size_t i = 0; i < lanes_per_warp; ++i)
        for (const int shift : {0, 16}) {
          const auto integer = [&](std::uint32_t word) {  // times 2^24
            return static_cast<Wide>(std::ldexp(format.value(static_cast<std::uint16_t>(word >> shift)), 24));
          };
          const Wide x = integer(a[i]), y = integer(b[i]), z = integer(c[i]);
          const auto expect = [&](std::uint32_t got, Wide exact, int scale) {
            const bool negative = exact < 0;
            const long double magnitude = std::ldexp(static_cast<long double>(negative ? -exact : exact), -scale);
            // The product of two halves fits into 64 bits; longer sums are compared only if they fit.
            const bool fits = static_cast<Wide>(std::ldexp(magnitude, scale)) == (negative ? -exact : exact);
            if (!fits || exact == 0) return;
            const auto want = reference::place(all, magnitude, negative, Rounding::rn);
            EXPECT_EQ(got >> shift & 0xffff, want | (negative ? 0x8000U : 0U))
                << std::hex << a[i] << " " << b[i] << " " << c[i];
          };
          expect(sums[i], x + y, 24);
          expect(products[i], x * y, 48);
          expect(fused[i], x * y + (z << 24), 48);
        }
    }
  }
}

TEST(AluHalf, RefusesWhatPtxHasNot) {
  EXPECT_NE(refusal_of({.opcode = Opcode::sub, .types = {Type::bf16x2}, .modifiers = {Modifier::sat}, .operands = 3}),
            "");
  EXPECT_NE(refusal_of({.opcode = Opcode::div, .types = {Type::f16}, .rounding = Rounding::rn, .operands = 3}), "");
  EXPECT_EQ(refusal_of({.opcode = Opcode::sub, .types = {Type::bf16x2}, .modifiers = {Modifier::sat}, .operands = 3}),
            "sub.bf16x2 with .sat is not supported");
}

}  // namespace
}  // namespace warpwalk::gpu

#include "core/gpu/alu/floating/convert.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/alu/reference.h"
#include "tests/alu/warp.h"

namespace warpwalk::gpu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Rounding;
using ptx::Type;
using reference::rounding_directions;
using reference::Wide;

template <class T>
T integer(std::uint64_t& state) {
  const std::uint64_t random = next_random(state);
  return static_cast<T>(static_cast<std::int64_t>(next_random(state)) >> random % 64);
}

template <class F, class T>
void expect_from_integers(Type to, Type from, int precision) {
  std::uint64_t state = 37;
  for (const Rounding rounding : rounding_directions) {
    const Alu alu = alu_of({.opcode = Opcode::cvt, .types = {to, from}, .rounding = rounding});
    for (int round = 0; round < 64; ++round) {
      std::array<T, lanes_per_warp> a;
      for (T& value : a) value = integer<T>(state);
      a[0] = std::numeric_limits<T>::min(), a[1] = std::numeric_limits<T>::max(), a[2] = 0;
      const auto d = ran<F>(alu, a);
      for (std::size_t i = 0; i < lanes_per_warp; ++i)
        ASSERT_EQ(d[i], static_cast<F>(reference::rounded(Wide{a[i]}, 0, precision, rounding))) << +a[i];
    }
  }
}

TEST(AluConvert, IntegersAreRoundedOnce) {
  expect_from_integers<float, std::int32_t>(Type::f32, Type::s32, 24);
  expect_from_integers<float, std::uint32_t>(Type::f32, Type::u32, 24);
  expect_from_integers<float, std::int64_t>(Type::f32, Type::s64, 24);
  expect_from_integers<float, std::uint64_t>(Type::f32, Type::u64, 24);
  expect_from_integers<double, std::int64_t>(Type::f64, Type::s64, 53);
  expect_from_integers<double, std::uint64_t>(Type::f64, Type::u64, 53);
  expect_from_integers<float, std::int16_t>(Type::f32, Type::s16, 24);
}

/// The integral number computed with <cmath>, then clamped.
template <class T, class F>
void expect_to_integers(Type to, Type from) {
  const struct {
    Rounding rounding;
    long double (*integral)(long double);
  } ways[] = {{Rounding::rni, std::nearbyint},
              {Rounding::rzi, std::trunc},
              {Rounding::rmi, std::floor},
              {Rounding::rpi, std::ceil}};
  std::uint64_t state = 41;
  for (const auto& way : ways) {
    const Alu alu = alu_of({.opcode = Opcode::cvt, .types = {to, from}, .rounding = way.rounding});
    for (int round = 0; round < 64; ++round) {
      std::array<F, lanes_per_warp> a;
      for (F& value : a) {
        const auto random = static_cast<F>(integer<std::int64_t>(state));
        value = std::ldexp(random, -static_cast<int>(next_random(state) % 70));
      }
      a[0] = HUGE_VALF, a[1] = -HUGE_VALF, a[2] = 0.5, a[3] = 1.5, a[4] = -2.5,
      a[5] = std::numeric_limits<F>::denorm_min();
      const auto d = ran<T>(alu, a);
      for (std::size_t i = 0; i < lanes_per_warp; ++i) {
        const long double whole = way.integral(static_cast<long double>(a[i]));
        const auto low = static_cast<long double>(std::numeric_limits<T>::min());
        const auto high = static_cast<long double>(std::numeric_limits<T>::max());
        const T want = whole <= low    ? std::numeric_limits<T>::min()
                       : whole >= high ? std::numeric_limits<T>::max()
                                       : static_cast<T>(whole);
        ASSERT_EQ(d[i], want) << a[i];
      }
    }
  }
}

TEST(AluConvert, FloatsAreRoundedAndClampedToIntegers) {
  expect_to_integers<std::int32_t, float>(Type::s32, Type::f32);
  expect_to_integers<std::uint32_t, float>(Type::u32, Type::f32);
  expect_to_integers<std::int64_t, float>(Type::s64, Type::f32);
  expect_to_integers<std::uint64_t, float>(Type::u64, Type::f32);
  expect_to_integers<std::int32_t, double>(Type::s32, Type::f64);
  expect_to_integers<std::int64_t, double>(Type::s64, Type::f64);
  expect_to_integers<std::uint64_t, double>(Type::u64, Type::f64);
  expect_to_integers<std::int16_t, float>(Type::s16, Type::f32);
}

/// According to the manual: 0, or the bits of the lowest number if converted from f64 or to 64 bits.
TEST(AluConvert, NaNBecomesWhatTheManualSays) {
  const auto of = [](Type to, Type from) {
    return alu_of({.opcode = Opcode::cvt, .types = {to, from}, .rounding = Rounding::rzi});
  };
  std::array<float, lanes_per_warp> f;
  std::array<double, lanes_per_warp> d;
  f.fill(NAN);
  d.fill(NAN);
  EXPECT_EQ(ran<std::int32_t>(of(Type::s32, Type::f32), f)[0], 0);
  EXPECT_EQ(ran<std::uint32_t>(of(Type::u32, Type::f32), f)[0], 0U);
  EXPECT_EQ(ran<std::uint64_t>(of(Type::s64, Type::f32), f)[0], 0x8000000000000000U);
  EXPECT_EQ(ran<std::uint32_t>(of(Type::s32, Type::f64), d)[0], 0x80000000U);
  EXPECT_EQ(ran<std::uint64_t>(of(Type::u64, Type::f64), d)[0], 0x8000000000000000U);
}

TEST(AluConvert, IntegersKeepTheirLowBitsAndAreExtendedAsTheyAreSigned) {
  const auto of = [](Type to, Type from, Type d, Type a, std::vector<Modifier> modifiers = {}) {
    return alu_of({.opcode = Opcode::cvt, .types = {to, from}, .modifiers = std::move(modifiers), .registers = {d, a}});
  };
  std::array<std::uint32_t, lanes_per_warp> a;
  a.fill(0xdeadbe89);
  EXPECT_EQ(ran<std::uint16_t>(of(Type::s16, Type::s8, Type::b16, Type::b32), a)[0], 0xff89);
  EXPECT_EQ(ran<std::uint64_t>(of(Type::s64, Type::u8, Type::b64, Type::b32), a)[0], 0x89U);
  EXPECT_EQ(ran<std::uint64_t>(of(Type::u64, Type::s16, Type::b64, Type::b32), a)[0], 0xffffffffffffbe89U);
  EXPECT_EQ(ran<std::uint32_t>(of(Type::u16, Type::s8, Type::b32, Type::b32), a)[0], 0xff89U);
  EXPECT_EQ(ran<std::uint32_t>(of(Type::s8, Type::u32, Type::b32, Type::b32), a)[0], 0xffffff89U);
  EXPECT_EQ(ran<std::uint32_t>(of(Type::u8, Type::s32, Type::b32, Type::b32, {Modifier::sat}), a)[0], 0U);
  EXPECT_EQ(ran<std::uint32_t>(of(Type::s8, Type::u32, Type::b32, Type::b32, {Modifier::sat}), a)[0], 127U);
}

TEST(AluConvert, EveryPlaceBetweenTwoSmallFloatsIsRoundedRight) {
  const auto f16 = reference::numbers(5, 10, 0x7bff);
  for (const Rounding rounding : rounding_directions) {
    const alu::Conversion conversion = {.to = Type::f16, .from = Type::f64, .rounding = rounding};
    for (std::size_t i = 0; i < f16.size(); ++i) {
      const double next = i + 1 < f16.size() ? f16[i + 1] : 65536.0;
      for (const double part : {0.0, 0.25, 0.5, 0.75})
        for (const bool negative : {false, true}) {
          const double value = f16[i] + (next - f16[i]) * part;
          const std::size_t want = reference::place(f16, value, negative, rounding);
          const std::uint64_t got = alu::convert(conversion, std::bit_cast<std::uint64_t>(negative ? -value : value));
          ASSERT_EQ(got, want | (negative ? 0x8000U : 0U)) << value;
        }
    }
  }
}

TEST(AluConvert, BytesOfFloatAreClampedToTheLargest) {
  // e4m3 lacks infinity. Its highest exponent encodes numbers, except for the last code.
  std::vector<double> e4m3 = reference::numbers(5, 3, 0x7e);
  for (std::size_t bits = 0; bits < e4m3.size(); ++bits) {
    const double fraction = static_cast<double>(bits & 7);
    const int exponent = static_cast<int>(bits >> 3);
    e4m3[bits] = exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(8 + fraction, exponent - 10);
  }
  EXPECT_EQ(e4m3.back(), 448.0);
  const auto e5m2 = reference::numbers(5, 2, 0x7b);
  for (const auto& [type, all] : {std::pair{Type::e4m3, e4m3}, std::pair{Type::e5m2, e5m2}}) {
    const alu::Conversion conversion = {.to = type, .from = Type::f64, .rounding = Rounding::rn, .satfinite = true};
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      for (const double part : {0.0, 0.25, 0.5, 0.75}) {
        const double value = all[i] + (all[i + 1] - all[i]) * part;
        ASSERT_EQ(alu::convert(conversion, std::bit_cast<std::uint64_t>(value)),
                  reference::place(all, value, false, Rounding::rn))
            << value;
        ASSERT_EQ(alu::convert(conversion, std::bit_cast<std::uint64_t>(-value)),
                  reference::place(all, value, false, Rounding::rn) | 0x80)
            << value;
      }
    EXPECT_EQ(alu::convert(conversion, std::bit_cast<std::uint64_t>(1e30)), all.size() - 1);
    EXPECT_EQ(alu::convert(conversion, std::bit_cast<std::uint64_t>(-HUGE_VAL)), (all.size() - 1) | 0x80);
    const alu::Conversion back = {.to = Type::f64, .from = type};
    for (std::size_t bits = 0; bits < all.size(); ++bits)
      ASSERT_EQ(std::bit_cast<double>(alu::convert(back, bits)), all[bits]);
  }
}

TEST(AluConvert, PairsHaveTheFirstSourceOnTop) {
  const Alu alu =
      alu_of({.opcode = Opcode::cvt, .types = {Type::f16x2, Type::f32}, .rounding = Rounding::rn, .operands = 3});
  std::array<float, lanes_per_warp> a, b;
  a.fill(1.0F);
  b.fill(-2.0F);
  EXPECT_EQ(ran<std::uint32_t>(alu, a, b)[9], 0x3c00c000U);
  const Alu packed = alu_of({.opcode = Opcode::cvt_pack,
                             .types = {Type::u8, Type::s32, Type::b32},
                             .modifiers = {Modifier::sat},
                             .operands = 4});
  std::array<std::int32_t, lanes_per_warp> x, y, z;
  x.fill(300);
  y.fill(-7);
  z.fill(0x12345678);
  EXPECT_EQ(ran<std::uint32_t>(packed, x, y, z)[9], 0x5678ff00U);
}

}  // namespace
}  // namespace warpwalk::gpu

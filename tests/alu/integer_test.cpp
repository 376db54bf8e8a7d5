#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "tests/alu/reference.h"
#include "tests/alu/warp.h"

namespace warpwalk::gpu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;
using reference::Wide;

/// Edge values, then numbers of every length.
template <class T>
std::array<T, lanes_per_warp> drawn(std::uint64_t& state) {
  const T edges[] = {0,
                     1,
                     2,
                     static_cast<T>(-1),
                     static_cast<T>(-2),
                     std::numeric_limits<T>::min(),
                     std::numeric_limits<T>::max(),
                     static_cast<T>(std::numeric_limits<T>::max() - 1)};
  std::array<T, lanes_per_warp> values;
  for (T& value : values) {
    const std::uint64_t random = next_random(state);
    const auto number = static_cast<std::int64_t>(next_random(state)) >> (random >> 8) % 64;
    value = random % 3 == 0 ? edges[(random >> 8) % std::size(edges)] : static_cast<T>(number);
  }
  return values;
}

/// Compares the form with f(a, b, c) in 128 bits, for 64 warps.
template <class D, class T, class C = T, class F>
void expect_all(const Form& form, F f) {
  std::uint64_t state = 1;
  const Alu alu = alu_of(form);
  EXPECT_EQ(alu.d_bytes, static_cast<int>(sizeof(D)));
  EXPECT_EQ(alu.a_bytes, static_cast<int>(sizeof(T)));
  for (int round = 0; round < 64; ++round) {
    const auto a = drawn<T>(state);
    const auto b = drawn<T>(state);
    const auto c = drawn<C>(state);
    const auto d = ran<D>(alu, a, b, c);
    for (std::size_t i = 0; i < lanes_per_warp; ++i)
      ASSERT_EQ(d[i], static_cast<D>(f(Wide{a[i]}, Wide{b[i]}, Wide{c[i]})))
          << +a[i] << " " << +b[i] << " " << +c[i] << " in form " << static_cast<int>(form.opcode);
  }
}

template <class T>
void expect_arithmetic(Type type) {
  constexpr int width = 8 * sizeof(T);
  const auto binary = [&](Opcode opcode, std::vector<Modifier> modifiers, auto f) {
    expect_all<T, T>({.opcode = opcode, .types = {type}, .modifiers = std::move(modifiers), .operands = 3}, f);
  };
  const auto ternary = [&](Opcode opcode, std::vector<Modifier> modifiers, auto f) {
    expect_all<T, T>({.opcode = opcode, .types = {type}, .modifiers = std::move(modifiers), .operands = 4}, f);
  };
  // The unsigned product of two 64-bit numbers does not fit into 127 bits, so its high half is computed by hand.
  const auto high = [](Wide x, Wide y) -> Wide {
    if (width < 64) return (x * y) >> width;
    const Wide low = Wide{1} << 32;
    const Wide x0 = x & (low - 1), x1 = x >> 32, y0 = y & (low - 1), y1 = y >> 32;
    const Wide middle = x1 * y0 + ((x0 * y0) >> 32);
    return x1 * y1 + (middle >> 32) + ((x0 * y1 + (middle & (low - 1))) >> 32);
  };
  const auto low = [](Wide x, Wide y) {
    return static_cast<Wide>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
  };
  binary(Opcode::add, {}, [](Wide a, Wide b, Wide) { return a + b; });
  binary(Opcode::sub, {}, [](Wide a, Wide b, Wide) { return a - b; });
  binary(Opcode::mul, {Modifier::lo}, [&](Wide a, Wide b, Wide) { return low(a, b); });
  binary(Opcode::mul, {Modifier::hi}, [&](Wide a, Wide b, Wide) { return high(a, b); });
  binary(Opcode::min, {}, [](Wide a, Wide b, Wide) { return std::min(a, b); });
  binary(Opcode::max, {}, [](Wide a, Wide b, Wide) { return std::max(a, b); });
  binary(Opcode::div, {}, [](Wide a, Wide b, Wide) { return b == 0 ? Wide{-1} : a / b; });
  binary(Opcode::rem, {}, [](Wide a, Wide b, Wide) { return b == 0 ? Wide{-1} : a % b; });
  ternary(Opcode::mad, {Modifier::lo}, [&](Wide a, Wide b, Wide c) { return low(a, b) + c; });
  ternary(Opcode::mad, {Modifier::hi}, [&](Wide a, Wide b, Wide c) { return high(a, b) + c; });
  ternary(Opcode::sad, {}, [](Wide a, Wide b, Wide c) { return (a < b ? b - a : a - b) + c; });
  if (std::is_signed_v<T>) {
    expect_all<T, T>({.opcode = Opcode::abs, .types = {type}}, [](Wide a, Wide, Wide) { return a < 0 ? -a : a; });
    expect_all<T, T>({.opcode = Opcode::neg, .types = {type}}, [](Wide a, Wide, Wide) { return -a; });
  }
}

TEST(AluInteger, ArithmeticOfEveryWidthIsThatOf128Bits) {
  expect_arithmetic<std::uint16_t>(Type::u16);
  expect_arithmetic<std::int16_t>(Type::s16);
  expect_arithmetic<std::uint32_t>(Type::u32);
  expect_arithmetic<std::int32_t>(Type::s32);
  expect_arithmetic<std::uint64_t>(Type::u64);
  expect_arithmetic<std::int64_t>(Type::s64);
}

TEST(AluInteger, WideProductsHaveTwiceTheWidth) {
  const auto product = [](Wide a, Wide b, Wide) { return a * b; };
  const auto sum = [](Wide a, Wide b, Wide c) { return a * b + c; };
  const Form mul = {.opcode = Opcode::mul, .types = {Type::s32}, .modifiers = {Modifier::wide}, .operands = 3};
  Form other = mul;
  expect_all<std::int64_t, std::int32_t>(mul, product);
  other.types = {Type::u32};
  expect_all<std::uint64_t, std::uint32_t>(other, product);
  other.types = {Type::s16};
  expect_all<std::int32_t, std::int16_t>(other, product);
  other = {.opcode = Opcode::mad, .types = {Type::u16}, .modifiers = {Modifier::wide}, .operands = 4};
  expect_all<std::uint32_t, std::uint16_t, std::uint32_t>(other, sum);
  other.types = {Type::s32};
  expect_all<std::int64_t, std::int32_t, std::int64_t>(other, sum);
}

TEST(AluInteger, SaturationClamps) {
  const auto clamp = [](Wide x) { return std::clamp<Wide>(x, -0x80000000LL, 0x7fffffff); };
  expect_all<std::int32_t, std::int32_t>(
      {.opcode = Opcode::add, .types = {Type::s32}, .modifiers = {Modifier::sat}, .operands = 3},
      [&](Wide a, Wide b, Wide) { return clamp(a + b); });
  expect_all<std::int32_t, std::int32_t>(
      {.opcode = Opcode::sub, .types = {Type::s32}, .modifiers = {Modifier::sat}, .operands = 3},
      [&](Wide a, Wide b, Wide) { return clamp(a - b); });
  expect_all<std::int32_t, std::int32_t>(
      {.opcode = Opcode::mad, .types = {Type::s32}, .modifiers = {Modifier::hi, Modifier::sat}, .operands = 4},
      [&](Wide a, Wide b, Wide c) { return clamp(((a * b) >> 32) + c); });
  expect_all<std::int32_t, std::int32_t>(
      {.opcode = Opcode::max, .types = {Type::s32}, .modifiers = {Modifier::relu}, .operands = 3},
      [](Wide a, Wide b, Wide) {
        return std::max({a, b, Wide{0}});
      });
}

/// Adds 256-bit numbers 32 bits at a time, passing the carry from instruction to instruction.
TEST(AluInteger, CarriesMakeLongAdditions) {
  const Alu first = alu_of({.opcode = Opcode::add, .types = {Type::u32}, .modifiers = {Modifier::cc}, .operands = 3});
  const Alu next = alu_of({.opcode = Opcode::addc, .types = {Type::u32}, .modifiers = {Modifier::cc}, .operands = 3});
  const Alu first_sub =
      alu_of({.opcode = Opcode::sub, .types = {Type::u32}, .modifiers = {Modifier::cc}, .operands = 3});
  const Alu next_sub =
      alu_of({.opcode = Opcode::subc, .types = {Type::u32}, .modifiers = {Modifier::cc}, .operands = 3});
  EXPECT_TRUE(first.writes_carry && !first.reads_carry && next.writes_carry && next.reads_carry);
  std::uint64_t state = 7;
  for (int round = 0; round < 32; ++round) {
    const auto a0 = drawn<std::uint32_t>(state), a1 = drawn<std::uint32_t>(state), a2 = drawn<std::uint32_t>(state);
    const auto b0 = drawn<std::uint32_t>(state), b1 = drawn<std::uint32_t>(state), b2 = drawn<std::uint32_t>(state);
    for (const bool add : {true, false}) {
      std::array<std::array<std::uint32_t, lanes_per_warp>, 3> d{};
      AluCall call;
      const auto step = [&](const Alu& alu, const auto& a, const auto& b, auto& to) {
        call.a = a.data();
        call.b = b.data();
        call.d = to.data();
        alu.run(call);
        call.carry_in = call.carry_out;
      };
      step(add ? first : first_sub, a0, b0, d[0]);
      step(add ? next : next_sub, a1, b1, d[1]);
      step(add ? next : next_sub, a2, b2, d[2]);
      for (std::size_t i = 0; i < lanes_per_warp; ++i) {
        const Wide a = (Wide{a2[i]} << 64) | (Wide{a1[i]} << 32) | a0[i];
        const Wide b = (Wide{b2[i]} << 64) | (Wide{b1[i]} << 32) | b0[i];
        const Wide want = add ? a + b : a - b;
        EXPECT_EQ(d[0][i], static_cast<std::uint32_t>(want));
        EXPECT_EQ(d[1][i], static_cast<std::uint32_t>(want >> 32));
        EXPECT_EQ(d[2][i], static_cast<std::uint32_t>(want >> 64));
      }
    }
  }
}

TEST(AluInteger, DestinationMayBeASource) {
  const Alu alu = alu_of({.opcode = Opcode::sub, .types = {Type::s32}, .operands = 3});
  std::array<std::int32_t, lanes_per_warp> a, b;
  for (std::size_t i = 0; i < lanes_per_warp; ++i)
    a[i] = static_cast<std::int32_t>(100 * i), b[i] = static_cast<std::int32_t>(i);
  AluCall call;
  call.d = b.data();
  call.a = a.data();
  call.b = b.data();
  alu.run(call);
  for (std::size_t i = 0; i < lanes_per_warp; ++i) EXPECT_EQ(b[i], static_cast<std::int32_t>(99 * i));
}

}  // namespace
}  // namespace warpwalk::gpu

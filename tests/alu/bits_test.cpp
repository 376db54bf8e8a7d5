#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/alu/warp.h"

namespace warpwalk::gpu {
namespace {

using ptx::Action;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

std::array<std::uint32_t, lanes_per_warp> random_words(std::uint64_t& state) {
  std::array<std::uint32_t, lanes_per_warp> words;
  for (auto& word : words) word = static_cast<std::uint32_t>(next_random(state));
  return words;
}

TEST(AluBits, Lop3ReadsItsTableBitByBit) {
  std::uint64_t state = 3;
  for (std::uint64_t table = 0; table < 256; ++table) {
    const Alu alu = alu_of({.opcode = Opcode::lop3, .types = {Type::b32}, .operands = 4, .table = table});
    const auto a = random_words(state), b = random_words(state), c = random_words(state);
    const auto d = ran<std::uint32_t>(alu, a, b, c);
    for (std::size_t i = 0; i < lanes_per_warp; ++i)
      for (int bit = 0; bit < 32; ++bit) {
        const unsigned index = (a[i] >> bit & 1) << 2 | (b[i] >> bit & 1) << 1 | (c[i] >> bit & 1);
        ASSERT_EQ(d[i] >> bit & 1, table >> index & 1) << table;
      }
  }
}

TEST(AluBits, Lop3WithAPredicateSaysWhetherAnyBitIsSet) {
  Form form = {.opcode = Opcode::lop3, .types = {Type::b32}, .action = Action::or_, .operands = 4, .table = 0x80};
  std::array<std::uint32_t, lanes_per_warp> a{}, ones, d;
  ones.fill(0xffffffff);
  for (std::size_t i = 0; i < lanes_per_warp; i += 3) a[i] = 1U << i;
  for (const bool conjunctive : {false, true}) {
    form.action = conjunctive ? Action::and_ : Action::or_;
    const Alu alu = alu_of(form);
    AluCall call;
    call.d = d.data();
    call.a = a.data();
    call.b = call.c = ones.data();
    call.predicate_in = 0x0000ffff;
    call.immediate = alu.immediate;
    alu.run(call);
    EXPECT_EQ(d, a);
    EXPECT_EQ(call.predicate_out, conjunctive ? 0x49249249U & 0xffffU : 0x49249249U | 0xffffU);
  }
}

/// Digit i of c chooses a byte of b:a; bit 3 of the digit chooses its sign.
TEST(AluBits, PrmtMovesBytes) {
  const Alu alu = alu_of({.opcode = Opcode::prmt, .types = {Type::b32}, .operands = 4});
  std::uint64_t state = 5;
  for (int round = 0; round < 100; ++round) {
    const auto a = random_words(state), b = random_words(state), c = random_words(state);
    const auto d = ran<std::uint32_t>(alu, a, b, c);
    for (std::size_t i = 0; i < lanes_per_warp; ++i)
      for (int digit = 0; digit < 4; ++digit) {
        const unsigned choice = c[i] >> (4 * digit) & 15;
        const unsigned from = (choice & 4) != 0 ? b[i] : a[i];
        const auto byte = static_cast<std::uint8_t>(from >> (8 * (choice & 3)));
        const unsigned want = (choice & 8) == 0 ? byte : byte >= 128 ? 255 : 0;
        ASSERT_EQ(d[i] >> (8 * digit) & 255, want);
      }
  }
}

/// The table of the PTX manual: bytes b3 b2 b1 b0 for c = 0, 1, 2, 3.
TEST(AluBits, PrmtModesAreTheManuals) {
  const struct {
    Action action;
    std::array<std::uint32_t, 4> want;
  } modes[] = {{Action::f4e, {0x13121110, 0x20131211, 0x21201312, 0x22212013}},
               {Action::b4e, {0x21222310, 0x22231011, 0x23101112, 0x10111213}},
               {Action::rc8, {0x10101010, 0x11111111, 0x12121212, 0x13131313}},
               {Action::ecl, {0x13121110, 0x13121111, 0x13121212, 0x13131313}},
               {Action::ecr, {0x10101010, 0x11111110, 0x12121110, 0x13121110}},
               {Action::rc16, {0x11101110, 0x13121312, 0x11101110, 0x13121312}}};
  for (const auto& mode : modes) {
    const Alu alu = alu_of({.opcode = Opcode::prmt, .types = {Type::b32}, .action = mode.action, .operands = 4});
    std::array<std::uint32_t, lanes_per_warp> a, b, c;
    a.fill(0x13121110);
    b.fill(0x23222120);
    for (std::size_t i = 0; i < lanes_per_warp; ++i) c[i] = static_cast<std::uint32_t>(i);
    const auto d = ran<std::uint32_t>(alu, a, b, c);
    for (std::size_t i = 0; i < lanes_per_warp; ++i) EXPECT_EQ(d[i], mode.want[i % 4]);
  }
}

/// Checks every bit for amounts up to and beyond the width.
template <class T>
void expect_shifts(Type type) {
  constexpr unsigned width = 8 * sizeof(T);
  for (const bool left : {true, false}) {
    const Alu alu = alu_of({.opcode = left ? Opcode::shl : Opcode::shr, .types = {type}, .operands = 3});
    EXPECT_EQ(alu.b_bytes, 4);
    std::uint64_t state = 11;
    for (unsigned first = 0; first < 96; first += 32) {
      std::array<T, lanes_per_warp> a;
      std::array<std::uint32_t, lanes_per_warp> b;
      for (std::size_t i = 0; i < lanes_per_warp; ++i) {
        a[i] = static_cast<T>(next_random(state));
        b[i] = i == 31 ? 0xffffffffU : first + static_cast<unsigned>(i);
      }
      const auto d = ran<T>(alu, a, b);
      for (std::size_t i = 0; i < lanes_per_warp; ++i)
        for (std::uint64_t bit = 0; bit < width; ++bit) {
          const bool sign = std::is_signed_v<T> && a[i] < 0;
          const std::uint64_t from = left ? bit - b[i] : bit + b[i];
          const bool want = left           ? b[i] <= bit && (a[i] >> from & 1) != 0
                            : from < width ? (a[i] >> from & 1) != 0
                                           : sign;
          ASSERT_EQ((d[i] >> bit & 1) != 0, want) << b[i];
        }
    }
  }
}

TEST(AluBits, ShiftsBeyondTheWidthLeaveNothingOrTheSign) {
  expect_shifts<std::uint16_t>(Type::b16);
  expect_shifts<std::uint32_t>(Type::b32);
  expect_shifts<std::uint64_t>(Type::b64);
  const auto of = [](Type type) { return alu_of({.opcode = Opcode::shr, .types = {type}, .operands = 3}); };
  std::array<std::int32_t, lanes_per_warp> a;
  std::array<std::uint32_t, lanes_per_warp> b;
  a.fill(-1000);
  for (std::size_t i = 0; i < lanes_per_warp; ++i) b[i] = static_cast<std::uint32_t>(2 * i);
  const auto d = ran<std::int32_t>(of(Type::s32), a, b);
  for (std::size_t i = 0; i < lanes_per_warp; ++i)
    EXPECT_EQ(d[i], static_cast<std::int32_t>(std::floor(-1000.0 / std::pow(2.0, static_cast<double>(b[i])))));
}

TEST(AluBits, FunnelShiftsTakeBothWords) {
  std::array<std::uint32_t, lanes_per_warp> a, b, c;
  a.fill(0x89abcdef);
  b.fill(0x01234567);
  for (std::size_t i = 0; i < lanes_per_warp; ++i) c[i] = static_cast<std::uint32_t>(i * 2 + 1);
  const auto run = [&](Modifier way, Modifier amount) {
    return ran<std::uint32_t>(
        alu_of({.opcode = Opcode::shf, .types = {Type::b32}, .modifiers = {way, amount}, .operands = 4}), a, b, c);
  };
  const auto left = run(Modifier::l, Modifier::wrap), right = run(Modifier::r, Modifier::clamp);
  for (std::size_t i = 0; i < lanes_per_warp; ++i) {
    const std::uint64_t both = 0x0123456789abcdefU;
    EXPECT_EQ(left[i], static_cast<std::uint32_t>(both << (c[i] % 32) >> 32));
    EXPECT_EQ(right[i], c[i] >= 32 ? 0x01234567U : static_cast<std::uint32_t>(both >> c[i]));
  }
}

/// Checks bfe and bfi one bit at a time.
TEST(AluBits, FieldsAreTakenAndPutBitByBit) {
  const Alu take = alu_of({.opcode = Opcode::bfe, .types = {Type::u32}, .operands = 4});
  const Alu take_signed = alu_of({.opcode = Opcode::bfe, .types = {Type::s32}, .operands = 4});
  std::uint64_t state = 17;
  for (int round = 0; round < 100; ++round) {
    auto a = random_words(state), b = random_words(state), c = random_words(state);
    for (std::size_t i = 0; i < lanes_per_warp; ++i) b[i] %= 40, c[i] %= 40;
    const auto d = ran<std::uint32_t>(take, a, b, c);
    const auto s = ran<std::uint32_t>(take_signed, a, b, c);
    for (std::size_t i = 0; i < lanes_per_warp; ++i)
      for (unsigned bit = 0; bit < 32; ++bit) {
        const auto at = [&](unsigned n) { return n < 32 && (a[i] >> n & 1) != 0; };
        ASSERT_EQ((d[i] >> bit & 1) != 0, bit < c[i] && at(b[i] + bit));
        const bool sign = c[i] != 0 && at(std::min(b[i] + c[i] - 1, 31U));
        const bool own = bit < c[i] && b[i] + bit < 32;
        ASSERT_EQ((s[i] >> bit & 1) != 0, own ? at(b[i] + bit) : sign) << a[i] << " " << b[i] << " " << c[i];
      }
  }
}

TEST(AluBits, CountsAndPlaces) {
  std::array<std::uint32_t, lanes_per_warp> a;
  for (std::size_t i = 0; i < lanes_per_warp; ++i) a[i] = i == 31 ? 0 : 3U << i;
  const auto of = [&](Opcode opcode, Type type) {
    return ran<std::uint32_t>(alu_of({.opcode = opcode, .types = {type}}), a);
  };
  const auto ones = of(Opcode::popc, Type::b32), zeros = of(Opcode::clz, Type::b32), top = of(Opcode::bfind, Type::u32),
             mirror = of(Opcode::brev, Type::b32);
  for (std::size_t i = 0; i < 31; ++i) {
    EXPECT_EQ(ones[i], 2U);
    EXPECT_EQ(zeros[i], 30 - i);
    EXPECT_EQ(top[i], i + 1);
    EXPECT_EQ(mirror[i], 0xc0000000U >> i);
  }
  EXPECT_EQ(zeros[31], 32U);
  EXPECT_EQ(top[31], 0xffffffffU);
}

}  // namespace
}  // namespace warpwalk::gpu

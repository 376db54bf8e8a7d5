#include <cmath>

#include <gtest/gtest.h>

#include "tests/alu/warp.h"

namespace warpwalk::gpu {
namespace {

using ptx::Action;
using ptx::Compare;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

struct Predicates {
  std::uint32_t p, q;
};

template <class T>
Predicates compared(const Form& form, const std::array<T, lanes_per_warp>& a, const std::array<T, lanes_per_warp>& b,
                    std::uint32_t in = 0) {
  const Alu alu = alu_of(form);
  AluCall call;
  call.a = a.data();
  call.b = b.data();
  call.predicate_in = in;
  call.immediate = alu.immediate;
  alu.run(call);
  return {call.predicate_out, call.predicate_out2};
}

/// Lanes: less, equal, greater, and three with NaN.
TEST(AluCompare, UnorderedComparisonsAreTrueForNaN) {
  std::array<float, lanes_per_warp> a{}, b{};
  const float nan = NAN;
  const float left[] = {1, 2, 3, nan, 1, nan}, right[] = {2, 2, 2, 1, nan, nan};
  for (std::size_t i = 0; i < lanes_per_warp; ++i) a[i] = left[i % 6], b[i] = right[i % 6];
  const struct {
    Compare compare;
    const char* want;
  } rows[] = {{Compare::eq, "010000"},  {Compare::ne, "101000"},  {Compare::lt, "100000"},  {Compare::le, "110000"},
              {Compare::gt, "001000"},  {Compare::ge, "011000"},  {Compare::equ, "010111"}, {Compare::neu, "101111"},
              {Compare::ltu, "100111"}, {Compare::leu, "110111"}, {Compare::gtu, "001111"}, {Compare::geu, "011111"},
              {Compare::num, "111000"}, {Compare::nan, "000111"}};
  for (const auto& row : rows) {
    const auto got =
        compared<float>({.opcode = Opcode::setp, .types = {Type::f32}, .compare = row.compare, .operands = 3}, a, b);
    for (std::size_t i = 0; i < lanes_per_warp; ++i) {
      EXPECT_EQ(got.p >> i & 1, row.want[i % 6] == '1') << static_cast<int>(row.compare) << " " << i;
      EXPECT_NE(got.p >> i & 1, got.q >> i & 1);
    }
  }
}

TEST(AluCompare, IntegersCompareAsTheyAreSigned) {
  std::array<std::int32_t, lanes_per_warp> a, b;
  for (std::size_t i = 0; i < lanes_per_warp; ++i) a[i] = static_cast<std::int32_t>(i) - 16, b[i] = 3;
  const auto of = [&](Type type, Compare compare) {
    return compared<std::int32_t>({.opcode = Opcode::setp, .types = {type}, .compare = compare, .operands = 3}, a, b).p;
  };
  EXPECT_EQ(of(Type::s32, Compare::lt), 0x0007ffffU);
  EXPECT_EQ(of(Type::u32, Compare::lt), 0x00070000U);
  EXPECT_EQ(of(Type::u32, Compare::hs), ~0x00070000U);
  EXPECT_EQ(of(Type::b32, Compare::eq), 0x00080000U);
  EXPECT_NE(refusal_of({.opcode = Opcode::setp, .types = {Type::b32}, .compare = Compare::lt, .operands = 3}), "");
  EXPECT_NE(refusal_of({.opcode = Opcode::setp, .types = {Type::s32}, .compare = Compare::ltu, .operands = 3}), "");
}

TEST(AluCompare, BothPredicatesMeetTheThird) {
  std::array<std::int32_t, lanes_per_warp> a, b{};
  for (std::size_t i = 0; i < lanes_per_warp; ++i) a[i] = i < 16 ? -1 : 1;
  const std::uint32_t in = 0x00ff00ff;
  const auto of = [&](Action action) {
    return compared<std::int32_t>(
        {.opcode = Opcode::setp, .types = {Type::s32}, .compare = Compare::lt, .action = action, .operands = 3}, a, b,
        in);
  };
  EXPECT_EQ(of(Action::and_).p, 0x000000ffU);
  EXPECT_EQ(of(Action::and_).q, 0x00ff0000U);
  EXPECT_EQ(of(Action::or_).p, 0x00ffffffU);
  EXPECT_EQ(of(Action::or_).q, 0xffff00ffU);
  EXPECT_EQ(of(Action::xor_).p, 0x00ffff00U);
  EXPECT_EQ(of(Action::xor_).q, 0xff0000ffU);
}

TEST(AluCompare, SetWritesOnesOrOne) {
  std::array<float, lanes_per_warp> a{}, b{};
  a[3] = -1;
  const auto of = [&](Type to) {
    return ran<std::uint32_t>(
        alu_of({.opcode = Opcode::set, .types = {to, Type::f32}, .compare = Compare::lt, .operands = 3}), a, b);
  };
  EXPECT_EQ(of(Type::u32)[3], 0xffffffffU);
  EXPECT_EQ(of(Type::f32)[3], 0x3f800000U);
  EXPECT_EQ(of(Type::f32)[4], 0U);
}

TEST(AluCompare, SelectionTakesTheFirstWhereTrue) {
  const Alu alu = alu_of({.opcode = Opcode::selp, .types = {Type::b64}, .operands = 3});
  EXPECT_TRUE(alu.reads_predicate);
  std::array<std::uint64_t, lanes_per_warp> a, b, d;
  a.fill(1), b.fill(2);
  AluCall call;
  call.d = d.data(), call.a = a.data(), call.b = b.data();
  call.predicate_in = 0xf0000001;
  alu.run(call);
  for (std::size_t i = 0; i < lanes_per_warp; ++i) EXPECT_EQ(d[i], i == 0 || i >= 28 ? 1U : 2U);

  const Alu slct = alu_of({.opcode = Opcode::slct, .types = {Type::b32, Type::f32}, .operands = 4});
  std::array<std::uint32_t, lanes_per_warp> x, y;
  x.fill(1), y.fill(2);
  std::array<float, lanes_per_warp> c{};
  c[1] = -0.0F, c[2] = -1.0F, c[3] = NAN;
  const auto chosen = ran<std::uint32_t>(slct, x, y, c);
  EXPECT_TRUE(chosen[0] == 1 && chosen[1] == 1 && chosen[2] == 2 && chosen[3] == 2);
}

}  // namespace
}  // namespace warpwalk::gpu

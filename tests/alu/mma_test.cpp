#include "core/gpu/alu/matrix/mma.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/alu/matrix/mma_float.h"
#include "tests/alu/warp.h"

namespace warpwalk::gpu {
namespace {

using ptx::Modifier;
using ptx::Type;

ptx::Instruction mma(Modifier shape, std::vector<Type> types) {
  ptx::Instruction instruction;
  instruction.opcode = ptx::Opcode::mma;
  instruction.types = std::move(types);
  for (const Modifier modifier : {shape, Modifier::row, Modifier::col, Modifier::sync, Modifier::aligned})
    instruction.modifiers.set(static_cast<std::size_t>(modifier));
  return instruction;
}

/// The registers of a fragment, 32 lanes each.
using Registers = std::array<std::array<std::uint32_t, lanes_per_warp>, 4>;

struct Product {
  Registers a{}, b{}, c{}, d{};

  void run(const Mma& mma) {
    void* const to[] = {d[0].data(), d[1].data(), d[2].data(), d[3].data()};
    const void* const as[] = {a[0].data(), a[1].data(), a[2].data(), a[3].data()};
    const void* const bs[] = {b[0].data(), b[1].data(), b[2].data(), b[3].data()};
    const void* const cs[] = {c[0].data(), c[1].data(), c[2].data(), c[3].data()};
    mma.run(mma, {.d = to, .a = as, .b = bs, .c = cs});
  }
};

/// Row 0 of A and column 0 of B belong to lanes 0 to 3, with two neighbors in k each; k = 8 to 15 is in the second
/// register of B and the third of A. 0x3c00 is 1.0 in f16.
TEST(Mma, TermsAreCutOffBelowTheLargest) {
  const auto found = find_mma(mma(Modifier::m16n8k16, {Type::f32, Type::f16, Type::f16, Type::f32}));
  ASSERT_TRUE(found) << found.error();
  const Mma& form = *found;
  Product product;
  product.b[0].fill(0x3c003c00);
  product.b[1].fill(0x3c003c00);
  product.a[0][0] = 0x3c00;  // 1
  product.a[0][1] = 0x0001;  // 2^-24: kept next to 1, not next to 4
  product.a[2][2] = 0x0001;  // 2^-24
  product.run(form);
  EXPECT_EQ(product.d[0][0], 0x3f800001U);  // 1 + 2^-23
  product.a[0][0] = 0x4000;                 // 2: the sum of the two is only half a unit and is truncated at the end
  product.run(form);
  EXPECT_EQ(product.d[0][0], 0x40000000U);
  product.a[0][0] = 0x4400;  // 4: 2^-24 is below 2^(2 - 25)
  product.a[0][3] = 0xc400;  // -4
  product.run(form);
  EXPECT_EQ(product.d[0][0], 0U);
  product.c[0][0] = 0x3f800000;  // C is a term like the others
  product.run(form);
  EXPECT_EQ(product.d[0][0], 0x3f800000U);
}

TEST(Mma, SumsAreTheSameOnEachInstructionSet) {
  std::uint64_t state = 43;
  for (int round = 0; round < 5000; ++round) {
    alu::Line a, b;
    for (int k = 0; k < alu::max_float_k; ++k) {
      a.set(k, alu::format_bf16, (next_random(state) & 0x9fff) | 0x2000);
      b.set(k, alu::format_bf16, next_random(state) & 0xffff);
    }
    const auto c = static_cast<std::uint32_t>(next_random(state));
    EXPECT_EQ(alu::dot_for(host_isa())(14, a, b, alu::format_f32, c, alu::format_f32),
              alu::dot_for(Isa::baseline)(14, a, b, alu::format_f32, c, alu::format_f32));
  }
}

TEST(Mma, BytesMultiplyExactly) {
  const auto found = find_mma(mma(Modifier::m16n8k32, {Type::s32, Type::s8, Type::u8, Type::s32}));
  ASSERT_TRUE(found) << found.error();
  const Mma& form = *found;
  EXPECT_EQ(form.a_registers, 4);
  EXPECT_EQ(form.b_registers, 2);
  Product product;
  for (auto& words : product.a) words.fill(0x80808080);  // -128
  for (auto& words : product.b) words.fill(0xffffffff);  // 255
  for (auto& words : product.c) words.fill(7);
  product.run(form);
  for (const auto& words : product.d)
    for (const std::uint32_t word : words) EXPECT_EQ(static_cast<std::int32_t>(word), -128 * 255 * 32 + 7);
}

TEST(Mma, SaysWhatItCannotCompute) {
  const auto found = find_mma(mma(Modifier::m16n8k32, {Type::f32, Type::f16, Type::f16, Type::f32}));
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error(), ::testing::HasSubstr("mma.f32.f16.f16.f32"));
}

}  // namespace
}  // namespace warpwalk::gpu

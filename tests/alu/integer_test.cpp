#include <gtest/gtest.h>

#include "tests/alu/warp.h"

namespace warpwalk::gpu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

TEST(AluSmoke, Adds) {
  const Alu alu = alu_of({.opcode = Opcode::add, .types = {Type::s32}, .operands = 3});
  Values a, b, d;
  for (int i = 0; i < lanes; ++i) a.set<std::int32_t>(i, i), b.set<std::int32_t>(i, 0x7fffffff);
  AluCall call{.d = &d, .a = &a, .b = &b};
  alu.run(call);
  for (int i = 0; i < lanes; ++i) EXPECT_EQ(d.get<std::uint32_t>(i), static_cast<std::uint32_t>(i) + 0x7fffffffU);
}

}  // namespace
}  // namespace warpwalk::gpu

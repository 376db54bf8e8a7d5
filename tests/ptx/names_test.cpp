#include <string>

#include <gtest/gtest.h>

#include "core/ptx/lookup.h"
#include "tests/ptx/parsing.h"

namespace warpwalk::ptx {
namespace {

TEST(PtxNames, TypesGoThereAndBack) {
  for (std::size_t i = 1; i < type_count; ++i) {
    const auto type = static_cast<Type>(i);
    EXPECT_EQ(find_type(name_of(type)), type) << name_of(type);
  }
  EXPECT_EQ(find_type(""), Type::none);
  EXPECT_EQ(find_type("u128"), Type::none);
}

TEST(PtxNames, TypesHaveTheBytesTheyAreNamedFor) {
  for (std::size_t i = 2; i < static_cast<std::size_t>(Type::texref); ++i) {
    const auto type = static_cast<Type>(i);
    const std::string name(name_of(type));
    int bits = name == "tf32" ? 32 : name.starts_with("e4m3") || name.starts_with("e5m2") ? 8 : 0;
    if (bits == 0) bits = std::stoi(name.substr(name.find_first_of("0123456789")));
    if (bits < 8) continue;  // a part of a byte, of cvt.pack
    if (name.ends_with("x2")) bits *= 2;
    EXPECT_EQ(bytes_of(type) * 8, bits) << name;
    EXPECT_EQ(is_signed(type), name[0] == 's') << name;
    EXPECT_EQ(is_bits(type), name[0] == 'b' && name[1] != 'f') << name;
    EXPECT_EQ(is_float(type), name[0] == 'f' || name[0] == 'e' || name[0] == 't' || name.starts_with("bf")) << name;
  }
  EXPECT_EQ(bytes_of(Type::pred), 0);
  for (const Type handle : {Type::texref, Type::samplerref, Type::surfref}) {
    EXPECT_EQ(bytes_of(handle), 8);
    EXPECT_FALSE(is_signed(handle) || is_bits(handle) || is_float(handle));
  }
}

TEST(PtxNames, SpecialRegistersGoThereAndBack) {
  for (std::size_t i = 1; i < special_count; ++i) {
    const auto special = static_cast<Special>(i);
    EXPECT_EQ(find_special(name_of(special)), special) << name_of(special);
    EXPECT_TRUE(name_of(special).starts_with('%'));
  }
  EXPECT_EQ(find_special("%tid"), Special::none);
}

TEST(PtxNames, OpcodesGoThereAndBack) {
  for (int i = 1; i <= static_cast<int>(Opcode::stackrestore); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    std::size_t length = 0;
    EXPECT_EQ(match_opcode(name_of(opcode), length), opcode) << name_of(opcode);
    EXPECT_EQ(length, name_of(opcode).size());
    EXPECT_EQ(match_opcode(std::string(name_of(opcode)) + ".u32", length), opcode) << name_of(opcode);
  }
}

TEST(PtxNames, TheLongestOpcodeCounts) {
  std::size_t length = 0;
  EXPECT_EQ(match_opcode("cp.async.ca.shared.global", length), Opcode::cp_async);
  EXPECT_EQ(length, 8u);
  EXPECT_EQ(match_opcode("cp.async.wait_all", length), Opcode::cp_async_wait_all);
  EXPECT_EQ(match_opcode("bar.warp.sync", length), Opcode::bar_warp);
  EXPECT_EQ(match_opcode("bar.sync", length), Opcode::bar);
  EXPECT_EQ(match_opcode("cp", length), Opcode::none);
  EXPECT_EQ(match_opcode("", length), Opcode::none);
}

TEST(PtxNames, EveryModifierHasAName) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(Modifier::count_); ++i)
    EXPECT_FALSE(name_of(static_cast<Modifier>(i)).empty()) << i;
  EXPECT_EQ(name_of(Modifier::l1_hint), "L1::evict_normal");
  EXPECT_EQ(name_of(Modifier::nan), "NaN");
}

TEST(PtxNames, SpacesHaveNames) {
  EXPECT_EQ(name_of(Space::constant), "const");
  EXPECT_EQ(name_of(Space::generic), "generic");
  EXPECT_EQ(name_of(Space::shared), "shared");
}

}  // namespace
}  // namespace warpwalk::ptx

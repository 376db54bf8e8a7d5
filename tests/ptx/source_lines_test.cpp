#include <gtest/gtest.h>

#include "tests/ptx/parsing.h"

namespace warpwalk::ptx {
namespace {

TEST(PtxSourceLines, ALocationHoldsUntilTheNext) {
  const Module module = parsed(module_of(
      ".file 1 \"a.cu\", 1700000000, 4321\n.entry k {\ntrap;\n.loc 1 10 3\ntrap;\n{ trap; }\n.loc 2 20 0\ntrap;\n}\n"
      ".file 2 \"dir\\\\b \\\"c\\\".h\"\n"));
  const Function& entry = *module.entry("k");
  ASSERT_EQ(module.files.size(), 2u);
  EXPECT_EQ(module.files[0].name, "a.cu");
  EXPECT_EQ(module.files[1].name, "dir\\b \"c\".h");
  EXPECT_EQ(module.files[1].number, 2u);
  ASSERT_EQ(entry.instructions.size(), 4u);
  EXPECT_EQ(entry.instructions[0].location, -1);
  EXPECT_EQ(entry.instructions[1].location, 0);
  EXPECT_EQ(entry.instructions[2].location, 0);
  EXPECT_EQ(entry.instructions[3].location, 1);
  EXPECT_EQ(entry.locations[0].file, 0u);
  EXPECT_EQ(entry.locations[0].line, 10u);
  EXPECT_EQ(entry.locations[0].column, 3u);
  EXPECT_EQ(entry.locations[0].inlined_at, -1);
  EXPECT_EQ(entry.locations[1].file, 1u) << "a .file may come after the .loc that names it";
}

TEST(PtxSourceLines, AnInlinedCall) {
  const Function entry =
      *parsed(module_of(".entry k {\n.loc 2 107 3, function_name $L__info_string0+8, inlined_at 1 13 5\ntrap;\n}"))
           .entry("k");
  const Location& place = entry.locations.at(static_cast<std::size_t>(entry.instructions[0].location));
  EXPECT_EQ(place.line, 107u);
  ASSERT_GE(place.inlined_at, 0);
  const Location& call = entry.locations.at(static_cast<std::size_t>(place.inlined_at));
  EXPECT_EQ(call.line, 13u);
  EXPECT_EQ(call.column, 5u);
}

TEST(PtxSourceLines, SectionsAndPragmasAreSkipped) {
  const Module module = parsed(
      module_of(".section .debug_str\n{\n$L__info_string0:\n.b8 95,90,0\n.b32 .debug_abbrev\n.b64 $L1-$L0+3\n{ }\n}\n"
                ".pragma \"nounroll\";\n.entry k {\n.pragma \"nounroll\";\nexit;\n}"));
  EXPECT_EQ(module.entry("k")->instructions.size(), 1u);
  EXPECT_EQ(refusal(module_of(".section .debug_str { .b8 1")),
            "4:28: end of text: expected `}` after the contents of a section");
  EXPECT_EQ(refusal(module_of(".entry k { .loc 1 -2 3 exit; }")), "4:19: `-`: expected a line number");
}

TEST(PtxSourceLines, InstructionsKnowWhereTheyStand) {
  const Function function = entry_of("\n\t@p1 exit; exit;");
  EXPECT_EQ(function.instructions[0].line, 7u);
  EXPECT_EQ(function.instructions[0].column, 6u);
  EXPECT_EQ(function.instructions[1].column, 12u);
}

TEST(PtxSourceLines, CommentsCountLines) {
  const Function function = entry_of("// one ; exit\n/* two\n three */ exit; // {");
  ASSERT_EQ(function.instructions.size(), 1u);
  EXPECT_EQ(function.instructions[0].line, 8u);
  EXPECT_EQ(function.instructions[0].column, 11u);
  EXPECT_EQ(refusal(body_of("/* exit;")), "6:1: `/*`: unterminated comment: `*/` is missing");
}

}  // namespace
}  // namespace warpwalk::ptx

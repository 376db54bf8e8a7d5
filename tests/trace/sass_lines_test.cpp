#include "core/trace/sass_lines.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::trace::test {
namespace {

TEST(SassLines, APlaceAndWhereItIsInlined) {
  const auto plain = parse_sass_location("\t//## File \"/src/relu.cu\", line 12");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->file, "/src/relu.cu");
  EXPECT_EQ(plain->line, 12u);
  EXPECT_EQ(plain->inlined_at, "");
  const auto inlined =
      parse_sass_location("\t//## File \"/a b/half.cuh\", line 7 inlined at \"/src/relu.cu\", line 20");
  ASSERT_TRUE(inlined);
  EXPECT_EQ(inlined->file, "/a b/half.cuh");
  EXPECT_EQ(inlined->line, 7u);
  EXPECT_EQ(inlined->inlined_at, "/src/relu.cu");
  EXPECT_EQ(inlined->inlined_at_line, 20u);
}

TEST(SassLines, OtherLinesTellNoPlace) {
  for (const char* const line : {"", "//## File", "//## File ", "//## File \"a.cu", "//## File \"a.cu\", line ",
                                 "//## File \"a.cu\", line x", "//## File \"a.cu\", line 99999999999",
                                 "        /*0010*/                   LDC R1, c[0x0][0x28] ;", ".text.relu:"})
    EXPECT_FALSE(parse_sass_location(line)) << line;
  const auto cut = parse_sass_location("//## File \"a.cu\", line 3 inlined at \"b.cu\", li");
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->line, 3u);
  EXPECT_EQ(cut->inlined_at, "");
}

TEST(SassLines, FilesGoByTheirNames) {
  EXPECT_EQ(file_name("/src/relu.cu"), "relu.cu");
  EXPECT_EQ(file_name("C:\\src\\relu.cu"), "relu.cu");
  EXPECT_EQ(file_name("relu.cu"), "relu.cu");
  EXPECT_EQ(file_name(""), "");
}

// The value of line() after each line read.
std::vector<std::uint32_t> lines_after(std::string_view file, const std::vector<std::string>& text) {
  SassLines lines(file);
  std::vector<std::uint32_t> after;
  for (const std::string& line : text) {
    lines.read(line);
    after.push_back(lines.line());
  }
  return after;
}

TEST(SassLines, TheInnermostPlaceInTheFileCounts) {
  const std::vector<std::string> text = {
      "\t//## File \"/src/relu.cu\", line 4",
      "        /*0000*/  LDC R1 ;",
      "\t//## File \"/inc/half.cuh\", line 3 inlined at \"/inc/half.cuh\", line 7",
      "\t//## File \"/inc/half.cuh\", line 7 inlined at \"/src/relu.cu\", line 9",
      "\t//## File \"/src/relu.cu\", line 9 inlined at \"/src/relu.cu\", line 20",
      "\t//## File \"/src/relu.cu\", line 20",
      "        /*0010*/  FMUL R0 ;",
      "\t//## File \"/inc/half.cuh\", line 11",
      "        /*0020*/  FADD R0 ;",
  };
  EXPECT_EQ(lines_after("elsewhere/relu.cu", text), (std::vector<std::uint32_t>{4, 4, 0, 9, 9, 9, 9, 0, 0}));
  EXPECT_EQ(lines_after("half.cuh", text), (std::vector<std::uint32_t>{0, 0, 3, 3, 3, 3, 3, 11, 11}));
  EXPECT_EQ(lines_after("", text), std::vector<std::uint32_t>(text.size(), 0));
}

TEST(SassLines, ThePlaceOfOneFunctionIsNotTheNextOnes) {
  EXPECT_EQ(lines_after("relu.cu", {"\t//## File \"relu.cu\", line 4", "        /*0000*/  EXIT ;",
                                    "        .type           $relu$__cuda_sm3x_div_rn_noftz_f32_slowpath,@function",
                                    "        /*0010*/  BSYNC B2 ;"}),
            (std::vector<std::uint32_t>{4, 4, 0, 0}));
}

TEST(SassLines, NothingIsToldBeforeTheFirstPlace) {
  SassLines lines("relu.cu");
  lines.read("        /*0000*/  LDC R1 ;");
  EXPECT_FALSE(lines.has_location());
  lines.read("\t//## File \"half.cuh\", line 7");
  EXPECT_TRUE(lines.has_location());
  EXPECT_EQ(lines.line(), 0u);
}

TEST(SassLines, AFunctionsFileIsTheOutermostOfItsFirstPlaces) {
  EXPECT_EQ(sass_file("\t//## File \"half.hpp\", line 7 inlined at \"relu.cu\", line 20\n"
                      "\t//## File \"relu.cu\", line 20\n"
                      "        /*0000*/   LDC ;\n"
                      "\t//## File \"other.cuh\", line 1\n"
                      "        /*0010*/   EXIT ;\n"),
            "relu.cu");
  EXPECT_EQ(sass_file(".text.relu:\n        /*0000*/   LDC ;\n"), "");
  EXPECT_EQ(sass_file(""), "");
}

}  // namespace
}  // namespace warpwalk::trace::test

#include "instrumentation/inside_pattern.h"

#include <gtest/gtest.h>

namespace warpwalk::instrumentation {
namespace {

struct Case {
  const char *text, *pattern;
  std::uint64_t which;
  bool each;
};

TEST(InsidePattern, NamesALaunchAndWhich) {
  for (const Case& one : {Case{"relu", "relu", 1, false}, Case{"relu:3", "relu", 3, false},
                          Case{"aten::mm", "aten::mm", 1, false}, Case{"aten::mm:12", "aten::mm", 12, false},
                          Case{"aten::*:each", "aten::*", 1, true}, Case{"at::native", "at::native", 1, false},
                          Case{"relu:last", "relu:last", 1, false}, Case{"a::3", "a::3", 1, false}}) {
    const auto parsed = parse_inside_pattern(one.text);
    ASSERT_TRUE(parsed) << one.text;
    EXPECT_EQ(parsed->text, one.pattern);
    EXPECT_EQ(parsed->which, one.which) << one.text;
    EXPECT_EQ(parsed->each, one.each) << one.text;
  }
  for (const char* const bad : {"", ":3", "relu:0", "relu:99999999999999999999", "two\nlines"})
    EXPECT_FALSE(parse_inside_pattern(bad)) << bad;
}

TEST(InsidePattern, IsAPartOfTheName) {
  const auto hits = [](const char* pattern, const char* name) { return matches(*parse_inside_pattern(pattern), name); };
  EXPECT_TRUE(hits("mm", "triton_tem_fused_mm_0"));
  EXPECT_TRUE(hits("triton_*mm*0", "triton_tem_fused_mm_0"));
  EXPECT_TRUE(hits("*", ""));
  EXPECT_TRUE(hits("aten::*", "aten::mm"));
  EXPECT_FALSE(hits("aten::*", "cudaLaunchKernel"));
  EXPECT_FALSE(hits("mm*triton", "triton_tem_fused_mm_0"));
  EXPECT_FALSE(hits("mm*mm", "fused_mm_0"));
}

TEST(InsidePattern, SeveralTravelInOneVariable) {
  const auto patterns = split_patterns(join_patterns({"relu:2", "aten::*:each", "mm"}));
  ASSERT_EQ(patterns.size(), 3u);
  EXPECT_EQ(patterns[0].which, 2u);
  EXPECT_TRUE(patterns[1].each);
  EXPECT_EQ(patterns[2].text, "mm");
  EXPECT_TRUE(split_patterns("").empty());
}

}  // namespace
}  // namespace warpwalk::instrumentation

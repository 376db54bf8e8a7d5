#include "core/story/translator_code.h"

#include <chrono>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpwalk::story::testing {
namespace {

// Two kernels, the second of which is asked for.
trace::Module two_kernels() {
  trace::Module module;
  module.source = "__global__ void first() {}\n__global__ void second(float* x) {\n  x[0] = 1;\n  x[1] = 2;\n}\n";
  module.ptx =
      ".version 9.0\n.target sm_90\n.visible .entry first(\n)\n{\n\t.loc 1 1 1\n\tret;\n}\n.visible .entry second(\n)\n"
      "{\n\t.loc\t1 3 3\n\tst.global.f32 [%rd1], %f1;\n\t.loc\t1 4 3\n\tst.global.f32 [%rd1+4], %f2;\n\tret;\n}\n";
  module.sass =
      "\t\tFunction : first\n        /*0000*/  EXIT ;  /* 0x000000000000794d */\n\t\tFunction : second\n"
      "        /*0000*/  LDC R1 ;  /* 0x00000a00ff017b82 */\n                  /* 0x000fe20000000800 */\n"
      "        /*0010*/  STG.E [R2], R0 ;\n        /*0020*/  EXIT ;\n";
  return module;
}

std::vector<std::int64_t> lit(const CodeWindow& window) {
  std::vector<std::int64_t> numbers;
  for (const CodeLine& line : window.lines)
    if (line.lit) numbers.push_back(line.number);
  return numbers;
}

TEST(Code, TheLinesOfThePtxAreItsMapWhereNoneIsRecorded) {
  const CodeView view = code_view(two_kernels(), "second", 4, 64);
  EXPECT_FALSE(view.map_recorded);
  EXPECT_EQ(view.target, "sm_90");
  EXPECT_EQ(view.lines, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(view.line, 4);
  EXPECT_EQ(lit(view.source), (std::vector<std::int64_t>{4}));
  // Lines of the whole text: 15 and 16 are the store and the return after .loc 1 4.
  EXPECT_EQ(lit(view.ptx), (std::vector<std::int64_t>{15, 16}));
  EXPECT_EQ(view.ptx.lines.front().number, 9);
  EXPECT_TRUE(lit(view.sass).empty());
}

TEST(Code, ARecordedMapLightsAllThree) {
  trace::Module module = two_kernels();
  module.line_map = {{0, 0, 2}, {16, 13, 3}, {32, 15, 4}};
  const CodeView view = code_view(module, "second", 3, 64);
  EXPECT_TRUE(view.map_recorded);
  EXPECT_EQ(lit(view.source), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(lit(view.ptx), (std::vector<std::int64_t>{13}));
  EXPECT_EQ(lit(view.sass), (std::vector<std::int64_t>{16}));
  // Only this kernel's instructions, without offset and encoding.
  ASSERT_EQ(view.sass.lines.size(), 3u);
  EXPECT_EQ(view.sass.lines[0].text, "LDC R1 ;");
}

TEST(Code, AnyLineCanBeAskedFor) {
  for (const std::int64_t asked : {std::int64_t{-5}, std::int64_t{0}, std::int64_t{1}, std::int64_t{99}, INT64_MAX}) {
    const CodeView view = code_view(two_kernels(), "second", asked, 64);
    EXPECT_EQ(view.line, asked > 3 ? 4 : 3) << asked;
  }
}

TEST(Code, AWindowHoldsTheFollowedLine) {
  trace::Module module;
  for (int i = 1; i <= 500; ++i) module.source += fmt::format("line {}\n", i);
  for (const std::uint32_t line : {1u, 20u, 250u, 499u, 500u}) {
    module.line_map = {{0, 0, line}};
    const CodeView view = code_view(module, "k", 0, 64);
    ASSERT_EQ(view.source.lines.size(), 64u);
    EXPECT_EQ(view.source.all_lines, 500);
    EXPECT_EQ(view.source.lines[view.source.focus].number, line);
    EXPECT_TRUE(view.source.lines[view.source.focus].lit);
    EXPECT_EQ(view.source.lines[view.source.focus].text, fmt::format("line {}", line));
  }
}

TEST(Code, HostileTextsAreShownAsTheyAre) {
  trace::Module module;
  for (const std::string text : {"", "\n\n\n", ".loc", ".loc 1", ".loc 1 99999999999999999999 1\nx", ".entry", "/*",
                                 "/*zz*/", "/*0010*/", "\xff\xfe\x01", "Function : k"}) {
    module.source = module.ptx = module.sass = text;
    module.line_map = {{4'000'000'000u, 4'000'000'000u, 4'000'000'000u}};
    const CodeView view = code_view(module, "k", 7, 16);
    EXPECT_LE(view.ptx.lines.size(), 16u);
    EXPECT_EQ(view.line, 4'000'000'000);
  }
}

TEST(Code, ALargeModuleIsReadInLittleTime) {
  trace::Module module;
  module.ptx = ".target sm_90\n.entry k()\n{\n";
  for (int i = 0; i < 40'000; ++i) module.ptx += fmt::format("\t.loc 1 {} 1\n\tadd.s32 %r1, %r1, 1;\n", i % 300 + 1);
  for (int i = 0; i < 300; ++i) module.source += "x;\n";
  const auto start = std::chrono::steady_clock::now();
  constexpr int times = 20;
  for (int i = 0; i < times; ++i) EXPECT_EQ(code_view(module, "k", 5, 64).line, 5);
  EXPECT_LT(std::chrono::steady_clock::now() - start, times * std::chrono::milliseconds(50));
}

}  // namespace
}  // namespace warpwalk::story::testing

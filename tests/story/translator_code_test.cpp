#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/run/record/disassembly.h"
#include "core/story/facts/code/linked_code.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

// Two kernels; the tests request the second.
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
  EXPECT_EQ(lit(view.source), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(lit(view.ptx), (std::vector<std::int64_t>{13}));
  EXPECT_EQ(lit(view.sass), (std::vector<std::int64_t>{16}));
  // Only this kernel's instructions, without offset and encoding.
  ASSERT_EQ(view.sass.lines.size(), 3u);
  EXPECT_EQ(view.sass.lines[0].text, "LDC R1 ;");
}

// tests/run/data/inlined.cu, which includes steps.cuh: nvcc 13.0, ptxas and nvdisasm of 11.8.
// The module of one of its kernels, as it is recorded.
trace::Module inlined(std::string_view entry, const char* listing = "inlined.gi.sass") {
  trace::Module module;
  module.source_file = "kernels/inlined.cu";
  module.source = file_contents("tests/run/data/inlined.cu");
  module.ptx = file_contents("tests/run/data/inlined.ptx");
  module.sass = run::read_disassembly(file_contents(std::string("tests/run/data/") + listing), "", entry, "").sass;
  return module;
}

constexpr std::string_view doubled = "_Z7doubledIiEvPT_";

std::vector<std::int64_t> lines_with_code(const CodeWindow& window) {
  std::vector<std::int64_t> numbers;
  for (const CodeLine& line : window.lines)
    if (line.source_line > 0) numbers.push_back(line.number);
  return numbers;
}

TEST(Code, LinesOfAHeaderAreNotLinesOfTheSource) {
  const CodeView view = code_view(inlined("inlined"), "inlined", 12, 200);
  EXPECT_EQ(view.lines, (std::vector<std::int64_t>{5, 8, 9, 10, 11, 12, 13}));
  EXPECT_EQ(lines_with_code(view.source), view.lines);
  // Line 12 calls functions in steps.cuh, lines 5 and 10. Both are inlined here, one into the other.
  const std::vector<std::int64_t> ptx = lit(view.ptx);
  for (const std::int64_t line : {68, 72, 75, 86, 98}) EXPECT_EQ(std::ranges::count(ptx, line), 1) << line;
  for (const std::int64_t line : {64, 70, 78, 95, 102}) EXPECT_EQ(std::ranges::count(ptx, line), 0) << line;
  EXPECT_EQ(lit(view.sass),
            (std::vector<std::int64_t>{0xa0, 0xd0, 0xe0, 0xf0, 0x100, 0x110, 0x140, 0x150, 0x160, 0x170, 0x180}));
  // A function that it calls without inlining is present, but maps to no line.
  const auto bent = std::ranges::find(view.sass.lines, std::int64_t{0x1a0}, &CodeLine::number);
  ASSERT_NE(bent, view.sass.lines.end());
  EXPECT_TRUE(bent->text.starts_with("FFMA"));
  EXPECT_EQ(bent->source_line, 0);
  // Line 5 of the source is a function of its own, not line 5 of the header.
  const CodeView five = code_view(inlined("inlined"), "inlined", 5, 200);
  EXPECT_EQ(lit(five.ptx), (std::vector<std::int64_t>{78, 79}));
  EXPECT_EQ(lit(five.sass), (std::vector<std::int64_t>{0x120, 0x130}));
}

TEST(Code, AKernelOutOfAHeaderIsOfNoLine) {
  const CodeView view = code_view(inlined(doubled), doubled, 0, 200);
  EXPECT_EQ(view.lines, std::vector<std::int64_t>{});
  EXPECT_EQ(view.line, 0);
  EXPECT_GT(view.ptx.lines.size(), 10u);
  EXPECT_GT(view.sass.lines.size(), 8u);
}

// A recording with neither file nor source: the lines are those of the file that contains the kernel. That is file 2
// here, because a function from the header comes first.
TEST(Code, WithoutASourceFileTheKernelsOwnCounts) {
  trace::Module module = inlined("inlined");
  module.source_file.clear();
  EXPECT_EQ(code_view(module, "inlined", 0, 200).lines, (std::vector<std::int64_t>{5, 8, 9, 10, 11, 12, 13}));
  module.sass = inlined(doubled).sass;
  EXPECT_EQ(code_view(module, doubled, 0, 200).lines, (std::vector<std::int64_t>{19, 20, 21}));
}

// nvdisasm -g gives the location where code is written, not where it is inlined. Maps from it had lines of any file.
TEST(Code, AnOldMapsLinesOfAHeaderAreNotShown) {
  trace::Module module = inlined("inlined", "inlined.g.sass");
  module.line_map = {{0x80, 64, 11}, {0xd0, 68, 5}, {0xf0, 72, 10}, {0x1a0, 24, 14}};
  const CodeView view = code_view(module, "inlined", 10, 200);
  EXPECT_EQ(view.lines, (std::vector<std::int64_t>{5, 8, 9, 10, 11, 12, 13}));
  EXPECT_EQ(lit(view.ptx), (std::vector<std::int64_t>{57, 58}));
  EXPECT_EQ(lit(view.sass), (std::vector<std::int64_t>{0x50, 0x60, 0x70}));
}

TEST(Code, InlineAssemblyIsLitAndTheCommentsAroundItAreNot) {
  trace::Module module;
  module.source_file = "kernels/mm.cu";
  module.ptx = file_contents("assets/ptx/mm.ptx");
  const CodeView view = code_view(module, "mm_f16", 0, 1000);
  std::size_t conversions = 0;
  for (const CodeLine& line : view.ptx.lines) {
    if (line.text.find("cvt.f32.f16") != std::string::npos) {
      ++conversions;
      EXPECT_GT(line.source_line, 0) << line.text;
    }
    if (line.text.find("//") != std::string::npos) {
      EXPECT_EQ(line.source_line, 0) << line.text;
    }
  }
  EXPECT_EQ(conversions, 2u);
}

TEST(Code, EveryLineOfTheShippedKernelsIsOneOfTheirSource) {
  std::size_t modules = 0;
  for (const auto& file : std::filesystem::directory_iterator(WARPWALK_SOURCE_DIR "/assets/ptx")) {
    trace::Module module;
    const std::string name = file.path().stem().string();
    module.source_file = "kernels/" + name + ".cu";
    const std::string cuda = file_contents(module.source_file);
    module.source = cuda;
    module.ptx = file_contents("assets/ptx/" + file.path().filename().string());
    std::vector<std::string> source(1);
    for (std::size_t at = 0; at < cuda.size(); at = cuda.find('\n', at) + 1)
      source.push_back(cuda.substr(at, cuda.find('\n', at) - at));
    for (std::size_t at = module.ptx.find(".entry "); at != std::string::npos;
         at = module.ptx.find(".entry ", at + 1)) {
      const std::string entry = module.ptx.substr(at + 7, module.ptx.find('(', at) - at - 7);
      const CodeView view = code_view(module, entry, 0, 64);
      EXPECT_FALSE(view.lines.empty()) << name << ' ' << entry;
      for (const std::int64_t line : view.lines) {
        ASSERT_LT(line, std::ssize(source)) << name << ' ' << entry;
        const std::string& text = source[static_cast<std::size_t>(line)];
        EXPECT_FALSE(text.empty() || text.starts_with("#") || text.starts_with("//")) << name << ':' << line << text;
      }
    }
    ++modules;
  }
  EXPECT_GE(modules, 25u);
}

TEST(Code, AnyLineCanBeAskedFor) {
  for (const std::int64_t asked : {std::int64_t{-5}, std::int64_t{0}, std::int64_t{1}, std::int64_t{99}, INT64_MAX}) {
    const CodeView view = code_view(two_kernels(), "second", asked, 64);
    EXPECT_EQ(view.line, asked == 1 ? 3 : 4) << asked;  // by default the line with the most instructions
  }
}

TEST(Code, FollowsTheLineWithTheMostInstructionsAndPaddingIsNone) {
  trace::Module module = two_kernels();
  module.sass =
      "\t\tFunction : second\n        /*0000*/  LDC R1 ;\n        /*0010*/  STG.E [R2], R0 ;\n"
      "        /*0020*/  EXIT ;\n        /*0030*/  NOP ;\n        /*0040*/  NOP ;\n        /*0050*/  NOP ;\n";
  module.line_map = {{0, 13, 3}, {16, 13, 3}, {32, 15, 4}, {48, 15, 4}, {64, 15, 4}, {80, 15, 4}};
  EXPECT_EQ(code_view(module, "second", 0, 64).line, 3);
}

TEST(Code, NoLineIsFollowedIfNoneIsWanted) {
  const CodeView view = code_view(two_kernels(), "second", no_line, 64);
  EXPECT_EQ(view.line, 0);
  EXPECT_TRUE(view.lines.empty());
  EXPECT_TRUE(lit(view.ptx).empty());
}

TEST(Code, AWindowHoldsTheFollowedLine) {
  trace::Module module;
  std::string source;
  for (int i = 1; i <= 500; ++i) source += fmt::format("line {}\n", i);
  module.source = source;
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
  std::string source;
  for (int i = 0; i < 300; ++i) source += "x;\n";
  module.source = source;
  const auto start = std::chrono::steady_clock::now();
  constexpr int times = 20;
  for (int i = 0; i < times; ++i) EXPECT_EQ(code_view(module, "k", 5, 64).line, 5);
  EXPECT_LT(std::chrono::steady_clock::now() - start, times * std::chrono::seconds(1));
}

}  // namespace
}  // namespace warpwalk::story::testing

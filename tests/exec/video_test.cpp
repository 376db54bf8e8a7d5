// Video instructions and cvt.pack against values of an H200 (data/video.txt), and by hand where ptxas 13.0 has code for
// sm_90 that differs from the PTX ISA.
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/exec/run_ptx.h"

namespace warpwalk::testing {
namespace {

/// An instruction on the registers d, a, b and c, their values, and the result.
struct VideoCase {
  std::string instruction;
  std::uint32_t a = 0, b = 0, c = 0, result = 0;
};

/// Runs all cases in one kernel and returns their results.
std::vector<std::uint32_t> results_of(const std::vector<VideoCase>& cases) {
  std::string body = ".reg .b32 a, b, c, d;\n";
  for (std::size_t i = 0; i < cases.size(); ++i)
    body += fmt::format("mov.u32 a, {};\nmov.u32 b, {};\nmov.u32 c, {};\n{}\nst.global.u32 [%y+{}], d;\n", cases[i].a,
                        cases[i].b, cases[i].c, cases[i].instruction, 4 * i);
  const PtxOutcome outcome = run_ptx({.body = body, .block = {1, 1, 1}, .buffer_bytes = 4 * cases.size()});
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.reports().empty());
  std::vector<std::uint32_t> results(cases.size());
  if (outcome.y.size() == 4 * cases.size()) std::memcpy(results.data(), outcome.y.data(), outcome.y.size());
  return results;
}

void check(const std::vector<VideoCase>& cases) {
  const std::vector<std::uint32_t> results = results_of(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const VideoCase& one = cases[i];
    EXPECT_EQ(results[i], one.result) << fmt::format("{} with a = {:#x}, b = {:#x}, c = {:#x} is {:#x}, not {:#x}",
                                                     one.instruction, one.a, one.b, one.c, results[i], one.result);
  }
}

TEST(Video, ValuesOfAnH200) {
  std::ifstream file(WARPWALK_SOURCE_DIR "/tests/exec/data/video.txt");
  std::vector<VideoCase> cases;
  for (std::string line; std::getline(file, line);) {
    const std::size_t end = line.find(';') + 1;
    VideoCase& one = cases.emplace_back();
    one.instruction = line.substr(0, end);
    std::istringstream numbers(line.substr(end));
    numbers >> std::hex >> one.a >> one.b >> one.c >> one.result;
    ASSERT_TRUE(numbers) << line;
  }
  ASSERT_GT(cases.size(), 800u);
  check(cases);
}

TEST(Video, TheSecondOperationSeesTheWholeResult) {
  check({
      // -128 is less than 128 before it becomes 32 bits of .u32.
      {"vadd.u32.u32.s32.min d, a, b.b0, c;", 0, 0x80, 0x80, 0xffffff80},
      {"vadd.u32.u32.u32.max d, a, b, c;", 0xffffffff, 1, 5, 0},
      {"vsub.s32.s32.s32.min d, a, b, c;", 0, 1, 7, 0xffffffff},
      {"vset.s32.u32.lt.min d, a, b, c;", 0xffffffff, 0, 0x80008000, 1},
      {"vset.u32.u32.lt.add d, a, b, c;", 1, 2, 41, 42},
  });
}

TEST(Video, SaturationToThePartThatIsWritten) {
  check({
      {"vadd.u32.u32.u32.sat d, a, b;", 0xffffffff, 1, 0, 0xffffffff},
      {"vsub.u32.u32.u32.sat d.b2, a, b, c;", 1, 2, 0xffffffff, 0xff00ffff},
      {"vsub.s32.u32.u32.sat d.b3, a, b, c;", 0, 1000, 0, 0x80000000},
      {"vadd.s32.u32.u32.sat d.h1, a, b, c;", 0x7fff, 1, 0x1234, 0x7fff1234},
      {"vadd.u32.u32.u32 d.h1, a, b, c;", 0x12345, 1, 0xabcd, 0x2346abcd},
      {"vshl.u32.u32.u32.sat.clamp d, a, b;", 1, 99, 0, 0xffffffff},
      {"vshl.s32.s32.u32.sat.clamp d, a, b;", 0x80000000, 32, 0, 0x80000000},
      {"vshl.u32.u32.u32.clamp d, a, b;", 3, 32, 0, 0},
      {"vshr.s32.s32.u32.clamp d, a, b;", 0x80000000, 99, 0, 0xffffffff},
      {"vshr.u32.u32.u32.wrap d, a, b;", 0x80000000, 33, 0, 0x40000000},
  });
}

TEST(Video, MultiplyAdd) {
  check({
      {"vmad.u32.u32.u32 d, a, b, c;", 7, 6, 5, 47},
      {"vmad.u32.u32.u32.po.shr7 d, a, b, c;", 128, 3, 127, 4},
      {"vmad.s32.s32.s32 d, -a, b, c;", 7, 6, 5, 0xffffffdb},   // -42 + 5
      {"vmad.s32.u32.u32 d, a, b, -c;", 7, 6, 50, 0xfffffff8},  // 42 - 50
      {"vmad.u32.u32.u32.sat d, a, b, c;", 0xffffffff, 0xffffffff, 1, 0xffffffff},
      {"vmad.s32.s32.s32.sat d, a, b, c;", 0x80000000, 2, 0, 0x80000000},
      {"vmad.s32.s32.s32.sat d, a, -b, c;", 0x80000000, 2, 0, 0x7fffffff},
      {"vmad.u32.u32.u32.shr15 d, a, b, c;", 0x80000000, 0x80000000, 0, 0},  // the low 32 bits of 2^47 are 0
      {"vmad.u32.u32.u32.sat.shr15 d, a.h0, b.h1, c;", 0xffff, 0xffff0000, 0, 0x1fffc},
  });
}

TEST(Video, WhatIsRefused) {
  const auto error_of = [](std::string_view instruction) {
    return run_ptx({.body = fmt::format(".reg .b32 a, b, c, d;\n{}", instruction)}).error;
  };
  EXPECT_EQ(error_of("vadd.u32.u32.u32 d, a.b4, b;"),
            "11:21: `a.b4`: expected the selector .b0, .b1, .b2, .b3, .h0 or .h1");
  EXPECT_EQ(error_of("vadd.u32.u32.u32 d.b0, a, b;"),
            "11:18: `d.b0`: a part of the destination needs a third source for the rest");
  EXPECT_EQ(error_of("vadd4.u32.u32.u32 d.b00, a, b, c;"),
            "11:19: `d.b00`: expected a selector from .b0 to .b3210, such as .b20");
  EXPECT_EQ(error_of("vadd2.u32.u32.u32 d, a.h40, b, c;"), "11:22: `a.h40`: expected a selector from .h00 to .h33");
  EXPECT_EQ(error_of("vadd2.u32.u32.u32 d, a, 5, c;"), "11:25: `5`: expected a register");
  EXPECT_EQ(error_of("vmad.u32.u32.u32 d, -a, b, -c;"), "11:21: `-`: vmad can negate either a * b or c");
  EXPECT_EQ(error_of("vmad.u32.u32.u32.po d, a, b, -c;"), "11:30: `-`: vmad.po cannot negate its operands");
  EXPECT_EQ(error_of("add.u32 d, a.h0, b;"), "11:12: `a.h0`: this instruction reads whole registers");
  EXPECT_EQ(error_of("add.u32 d, -a, b;"), "11:12: `-`: only vmad takes `-` before a register");
}

}  // namespace
}  // namespace warpwalk::testing

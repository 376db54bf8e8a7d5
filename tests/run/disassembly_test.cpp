// Compares the output of CUDA 13.0's nvdisasm for assets/ptx/relu.ptx compiled for sm_90 (tests/run/data) with the
// lines of that PTX and of kernels/relu.cu.
#include "core/run/record/disassembly.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/platform/read_file.h"
#include "tests/trace/support.h"

namespace warpwalk::run {
namespace {

std::string data_text(const char* file) {
  return platform::read_text_file(std::filesystem::path(WARPWALK_TEST_DATA) / file)->text;
}

Disassembly relu() {
  return read_disassembly(data_text("relu_source_lines.sass"), data_text("relu_ptx_lines.sass"), "relu",
                          "kernels/relu.cu");
}

TEST(Disassemble, EachInstructionHasItsLines) {
  const auto& rows = relu().line_map;
  ASSERT_GT(rows.size(), 17u);
  EXPECT_EQ(rows[0], (trace::LineMapRow{0x00, 20, 5}));
  EXPECT_EQ(rows[4], (trace::LineMapRow{0x40, 35, 6})) << "mad.lo.s32 and IMAD";
  EXPECT_EQ(rows[12], (trace::LineMapRow{0xc0, 46, 7})) << "ld.global.f32 and LDG.E";
  EXPECT_EQ(rows[15], (trace::LineMapRow{0xf0, 50, 7})) << "st.global.f32 and STG.E";
  EXPECT_EQ(rows[16], (trace::LineMapRow{0x100, 54, 8})) << "ret and EXIT";
}

// tests/run/data/inlined.cu and its include, compiled by nvcc 13.0 (in the folder /src), with ptxas and nvdisasm 11.8.
std::uint32_t source_line(const Disassembly& code, std::uint32_t offset) {
  for (const trace::LineMapRow& row : code.line_map)
    if (row.sass_offset == offset) return row.source_line;
  ADD_FAILURE() << "no instruction at " << offset;
  return 0;
}

TEST(Disassemble, CodeOfAHeaderHasTheLineThatItIsInlinedAt) {
  const Disassembly code =
      read_disassembly(data_text("inlined.gi.sass"), data_text("inlined.gp.sass"), "inlined", "kernels/inlined.cu");
  EXPECT_EQ(source_line(code, 0x40), 9u) << "IMAD, the index";
  EXPECT_EQ(source_line(code, 0xd0), 12u) << "FMUL of halved, inlined into stepped, inlined into line 12";
  EXPECT_EQ(source_line(code, 0xf0), 12u) << "FSETP of stepped, inlined into line 12";
  EXPECT_EQ(source_line(code, 0x120), 5u) << "FSETP of clipped, which is in the file itself";
  EXPECT_EQ(source_line(code, 0x180), 12u) << "STG";
  EXPECT_EQ(source_line(code, 0x1a0), 0u) << "FFMA of bent, which is called and in the header";
  EXPECT_EQ(code.line_map[0xd0 / 16].ptx_line, 68u) << "mul.f32";
  // The location lines stay in the text.
  EXPECT_THAT(code.sass, ::testing::HasSubstr("\"/src/steps.cuh\", line 5 inlined at \"/src/steps.cuh\", line 9\n"));
}

TEST(Disassemble, AHeadersKernelHasNoLineOfAnotherFile) {
  const std::string with_source = data_text("inlined.gi.sass");
  constexpr std::string_view entry = "_Z7doubledIiEvPT_";
  const Disassembly code = read_disassembly(with_source, data_text("inlined.gp.sass"), entry, "kernels/inlined.cu");
  ASSERT_GT(code.line_map.size(), 8u);
  for (const trace::LineMapRow& row : code.line_map) EXPECT_EQ(row.source_line, 0u) << row.sass_offset;
  EXPECT_EQ(code.line_map[0].ptx_line, 109u);
  // If no file is given, the lines are those of the kernel's own file.
  const Disassembly own = read_disassembly(with_source, "", entry, "");
  EXPECT_EQ(source_line(own, 0x00), 19u);
  EXPECT_EQ(source_line(own, 0x50), 20u);
  const Disassembly main = read_disassembly(with_source, "", "inlined", "");
  EXPECT_EQ(source_line(main, 0xd0), 12u);
}

TEST(Disassemble, TheTextIsTheEntrysOwn) {
  const std::string sass = relu().sass;
  EXPECT_TRUE(sass.starts_with(".text.relu:\n")) << sass.substr(0, 40);
  EXPECT_THAT(sass, ::testing::HasSubstr("LDG.E R2"));
  const std::string two = data_text("relu_source_lines.sass") +
                          "\n//--------------------- .text.other --------\n\n.text.other:\n        /*0000*/ EXIT ;\n";
  EXPECT_THAT(read_disassembly(two, "", "relu", "").sass, ::testing::Not(::testing::HasSubstr("other")));
  EXPECT_EQ(read_disassembly(two, "", "other", "").line_map.size(), 1u);
}

TEST(Disassemble, WhatIsNotThereIsEmpty) {
  EXPECT_TRUE(read_disassembly(data_text("relu_source_lines.sass"), "", "rel", "").sass.empty());
  EXPECT_TRUE(read_disassembly("", "", "relu", "").line_map.empty());
  const auto result = disassemble("not PTX", {"relu"}, "9.0", "");
  ASSERT_FALSE(result) << "with or without the tools";
  EXPECT_THAT(result.error(), ::testing::Not(::testing::HasSubstr("\n")));
}

// Puts fake tools first in PATH that print recorded CUDA output.
class WithTools : public testing::Test {
 protected:
  WithTools() {
    tool("ptxas", fmt::format("#!/bin/sh\necho \"$*\" >{}\n", (folder_.path() / "asked").string()));
    const std::filesystem::path data(WARPWALK_TEST_DATA);
    tool("nvdisasm", fmt::format("#!/bin/sh\ncat {}/inlined.${{1#-}}.sass\n", data.string()));
    setenv("PATH", fmt::format("{}:{}", folder_.path().string(), before_).c_str(), 1);
  }
  ~WithTools() override { setenv("PATH", before_.c_str(), 1); }

  std::string asked() const { return platform::read_text_file(folder_.path() / "asked")->text; }
  void tool(const char* name, const std::string& text) {
    const std::filesystem::path file = folder_.path() / name;
    std::ofstream(file) << text;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

 private:
  trace::test::TemporaryFolder folder_;
  const std::string before_ = std::getenv("PATH");
};

TEST_F(WithTools, AllEntriesOfAModuleComeAtOnceAndInOrder) {
  const auto result =
      disassemble(data_text("inlined.ptx"), {"inlined", "_Z7doubledIiEvPT_"}, "9.0", "kernels/inlined.cu");
  ASSERT_TRUE(result) << result.error();
  const auto& codes = *result;
  ASSERT_EQ(codes.size(), 2u);
  EXPECT_TRUE(codes[0].sass.starts_with(".text._Z7doubledIiEvPT_:")) << codes[0].sass.substr(0, 80);
  EXPECT_TRUE(codes[1].sass.starts_with(".text.inlined:"));
  EXPECT_EQ(source_line(codes[1], 0xd0), 12u);
  EXPECT_THAT(asked(), ::testing::HasSubstr("-arch=sm_90 "));
  EXPECT_THAT(asked(), ::testing::HasSubstr("--entry _Z7doubledIiEvPT_ --entry inlined"));
}

TEST_F(WithTools, AnEntryWithoutCodeIsSaid) {
  const auto result = disassemble(data_text("inlined.ptx"), {"inlined", "other"}, "9.0", "");
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().ends_with("printed no code for other")) << result.error();
}

TEST_F(WithTools, WhoeverAsksDoesNotWaitForEither) {
  using std::chrono::seconds;
  for (const char* const slow : {"ptxas", "nvdisasm"}) {
    // The output before it hangs looks complete.
    tool(slow, fmt::format("#!/bin/sh\ncat {}/inlined.gi.sass\nexec sleep 60\n", WARPWALK_TEST_DATA));
    std::atomic<bool> cancel = false;
    const std::jthread soon([&cancel] {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      cancel = true;
    });
    const auto began = std::chrono::steady_clock::now();
    const auto result = disassemble(data_text("inlined.ptx"), {"inlined"}, "9.0", "", &cancel);
    EXPECT_LT(std::chrono::steady_clock::now(), began + seconds(20)) << slow;
    ASSERT_FALSE(result) << slow;
    EXPECT_TRUE(result.error().ends_with(std::string(slow) + " was stopped")) << result.error();
    tool(slow, "#!/bin/sh\n");
  }
}

}  // namespace
}  // namespace warpwalk::run

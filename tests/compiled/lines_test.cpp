// Tests of the lines that link the stages of a Triton kernel. The files of softmax_kernel are those of Triton 3.6:
//   20  values = tl.load(...)
//   21  values = values - tl.max(values, axis=0)
//   23  tl.store(..., numerator / tl.sum(numerator, axis=0), ...)
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/compiled/line_shares.h"
#include "core/compiled/lines/code_lines.h"
#include "core/compiled/lines/inlined_calls.h"
#include "core/compiled/lines/kernel_lines.h"
#include "core/compiled/triton_files.h"
#include "core/platform/read_file.h"
#include "core/platform/temporary_folder.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::compiled {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::SizeIs;

const std::vector<std::uint64_t>& places(const LinkedLine& line, CodeStage stage) {
  return line.places[static_cast<std::size_t>(stage)];
}

std::string text_of(const std::filesystem::path& file) {
  const auto read = platform::read_text_file(file);
  return read ? read->text : std::string();
}

TEST(KernelLines, LeadFromPythonToMachineCode) {
  CompiledKernel kernel;
  const auto file =
      std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/compiled/data/softmax_kernel/softmax_kernel.json";
  ASSERT_TRUE(read_cache_entry(file, kernel));
  const KernelLines all = read_kernel_lines(kernel);
  EXPECT_EQ(all.place.line, 16);
  EXPECT_EQ(all.totals[static_cast<std::size_t>(CodeStage::sass)], 152U);
  // S2R and the like of the prologue, and an instruction that ptxas made for the parameters.
  EXPECT_THAT(all.sass_without_line, ElementsAre(0x0, 0xd0));
  // The addition of tl.sum: each stage has it under line 23.
  const auto sum = std::ranges::find_if(
      all.lines, [](const LinkedLine& line) { return line.inlined.size() == 2 && line.inlined[0].line == 263; });
  ASSERT_NE(sum, all.lines.end());
  EXPECT_EQ(sum->python.line, 23);
  EXPECT_EQ(sum->inlined[1].line, 293);
  EXPECT_EQ(sum->inlined[1].function, "triton.language.standard.sum");
  EXPECT_EQ(helper_name(sum->inlined[1].function), "tl.sum");
  EXPECT_EQ(helper_name(sum->inlined[0].function), "_sum_combine");
  EXPECT_THAT(places(*sum, CodeStage::ttir), ElementsAre(40));   // arith.addf
  EXPECT_THAT(places(*sum, CodeStage::ttgir), ElementsAre(41));  // arith.addf
  EXPECT_THAT(places(*sum, CodeStage::llir), Contains(106));     // fadd
  EXPECT_THAT(places(*sum, CodeStage::ptx), Contains(181));      // add.f32
  EXPECT_THAT(places(*sum, CodeStage::sass), Contains(0x500));
  std::size_t instructions = 0;
  for (const LinkedLine& line : all.lines) instructions += places(line, CodeStage::sass).size();
  EXPECT_EQ(instructions, 152U);
}

TEST(InlinedCalls, AreAddedToTheLineTableOfTheCubin) {
  const auto folder = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/compiled/data/softmax_kernel";
  const std::string before = text_of(folder / "softmax_kernel.cubin");
  const std::string after = with_inlined_calls(before, folder / "softmax_kernel.cubin");
  const auto old = sass::parse_cubin(before), cubin = sass::parse_cubin(after);
  ASSERT_TRUE(old && cubin);
  const sass::CubinFunction& function = cubin->functions.at(0);
  EXPECT_EQ(function.code, old->functions.at(0).code);
  std::size_t inlined = 0;
  for (std::uint64_t at = 0; at < function.code.size(); at += 16) {
    const auto positions = sass::source_positions(*cubin, function, at);
    const auto innermost = sass::source_positions(*old, old->functions.at(0), at);
    ASSERT_EQ(positions.empty(), innermost.empty()) << at;
    EXPECT_EQ(sass::ptx_line(function, at), sass::ptx_line(old->functions.at(0), at)) << at;
    if (positions.empty()) continue;
    EXPECT_EQ(positions.front().file, innermost.front().file) << at;
    EXPECT_EQ(positions.front().line, innermost.front().line) << at;
    // All lines of the kernel are from 16 on; those of Triton's library are in another file.
    EXPECT_THAT(std::string(positions.back().file), ::testing::Not(::testing::HasSubstr("standard.py"))) << at;
    if (positions.size() > 1) ++inlined;
  }
  EXPECT_GT(inlined, 30U);
  const auto sum = sass::source_positions(*cubin, function, 0x500);
  ASSERT_THAT(sum, SizeIs(3));
  EXPECT_EQ(sum[0].line, 263U);
  EXPECT_EQ(sum[0].function, "_sum_combine");
  EXPECT_EQ(sum[1].line, 293U);
  EXPECT_EQ(sum[1].function, "tl.sum");
  EXPECT_EQ(sum[2].line, 23U);
  EXPECT_EQ(sum[2].function, "");
  // A line table that has calls already is not changed, nor is a file that is not a cubin.
  EXPECT_EQ(with_inlined_calls(after, folder / "softmax_kernel.cubin"), after);
  EXPECT_EQ(with_inlined_calls("no cubin", folder / "softmax_kernel.cubin"), "no cubin");
}

TEST(LineShares, DivideAKernelAmongItsNodes) {
  const PythonLine first{"t.py", 29, "forward", "x = a(x)"}, second{"t.py", 30, "forward", "x = b(x)"};
  Compiled all;
  CompiledKernel& kernel = all.kernels.emplace_back();
  kernel.name = "triton_poi_fused_add_relu_0";
  kernel.python = {first, second};
  kernel.fx = {{"add", "", first}, {"mul", "", first}, {"relu", "", second}, {"made", "", {}}};
  const auto shares = line_shares(all, kernel.name);
  ASSERT_THAT(shares, SizeIs(2));
  EXPECT_EQ(shares[0].python, first);
  EXPECT_DOUBLE_EQ(shares[0].share, 2.0 / 3);
  EXPECT_DOUBLE_EQ(shares[1].share, 1.0 / 3);
  all.kernels.front().fx.clear();
  EXPECT_DOUBLE_EQ(line_shares(all, all.kernels.front().name)[0].share, 0.5);
  EXPECT_TRUE(line_shares(all, "gemm").empty());
}

TEST(KernelLines, PythonIsShownWhereItIsUnchanged) {
  const platform::TemporaryFolder folder;
  const std::string file = (folder.path() / "k.py").string();
  std::ofstream(file) << "import triton\n@triton.jit\ndef k(x_ptr):\n  pass\n";
  EXPECT_TRUE(read_kernel_python({file, 3, {}, {}}, "k"));
  EXPECT_TRUE(read_kernel_python({file, 3, {}, {}}, "k_f32"));
  EXPECT_FALSE(read_kernel_python({file, 3, {}, {}}, "other"));
  EXPECT_FALSE(read_kernel_python({file, 2, {}, {}}, "k"));
  EXPECT_FALSE(read_kernel_python({file, 9, {}, {}}, "k"));
  EXPECT_FALSE(read_kernel_python({file + "x", 3, {}, {}}, "k"));
}

constexpr std::string_view llir = R"(define ptx_kernel void @k() !dbg !4 {
  %1 = add i32 1, 2, !dbg !7
  %2 = add i32 1, 2, !dbg !9
  %3 = add i32 1, 2
  ret void, !dbg !10
}
!1 = !DIFile(filename: "k.py", directory: "/home/me")
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3)
!5 = distinct !DILexicalBlockFile(scope: !4, file: !6, discriminator: 0)
!6 = !DIFile(filename: "standard.py", directory: "/lib")
!7 = !DILocation(line: 43, column: 17, scope: !5, inlinedAt: !8)
!8 = !DILocation(line: 12, column: 4, scope: !4)
!9 = !DILocation(line: 43, column: 30, scope: !5, inlinedAt: !9)
!10 = !DILocation(line: 0, scope: !4)
)";

TEST(LlvmLines, FollowInlinedAt) {
  const LlvmLines lines = read_llvm_lines(llir);
  ASSERT_GE(lines.of_line.size(), 5U);
  const CodeChain& chain = lines.chains.at(static_cast<std::size_t>(lines.of_line[1]));
  EXPECT_THAT(chain, ElementsAre(CodeFrame{"/lib/standard.py", 43, 17, "k"}, CodeFrame{"/home/me/k.py", 12, 4, "k"}));
  EXPECT_EQ(lines.of_line[3], -1);
  EXPECT_TRUE(lines.instruction[3]);
  EXPECT_FALSE(lines.instruction[0]);
  EXPECT_THAT(lines.chains.at(static_cast<std::size_t>(lines.of_line[2])), SizeIs(64));  // refers to itself
  EXPECT_EQ(lines.chains.at(static_cast<std::size_t>(lines.of_line[4])).front().line, 0);
}

TEST(PtxLines, ChainsAreInTheCommentsOrInInlinedAt) {
  const PtxLines lines = read_ptx_lines(
      ".visible .entry k()\n{\n\tmov.u32 %r1, %tid.x;\n\t.loc\t2 43 17 // standard.py:43:17 @[ a.py:7:3 @[ k.py:12 ] "
      "]\n"
      "$L__tmp0:\n\tadd.s32 %r1, %r1, 1;\n\t.loc 1 0 3 // k.py:0:3\n\t@%p1 bra $L__tmp0;\n}\n"
      "\t.file\t1 \"/home/me/k.py\"\n\t.file 2 \"/lib\" \"standard.py\"\n\t.section .debug_info\n");
  EXPECT_EQ(lines.of_line[2], -1);
  EXPECT_FALSE(lines.instruction[4]);
  EXPECT_TRUE(lines.instruction[5] && lines.instruction[7]);
  EXPECT_THAT(lines.chains[0], ElementsAre(CodeFrame{"/lib/standard.py", 43, 17, ""}, CodeFrame{"a.py", 7, 3, ""},
                                           CodeFrame{"/home/me/k.py", 12, 0, ""}));
  EXPECT_EQ(lines.chains[1].front().line, 0);
  const PtxLines formal = read_ptx_lines(
      ".file 1 \"k.cu\"\n.loc 1 9 5\nadd;\n.loc 1 3 1, function_name $L__info_string0, inlined_at 1 9 5\nadd;\n"
      ".loc 1 2 1, function_name $L__info_string1, inlined_at 1 3 1\nadd;\n"
      ".loc 1 4 1, function_name $L__info_string2, inlined_at 1 8 2 // k.cu:4:1\nadd;\n");
  EXPECT_THAT(formal.chains[3], ElementsAre(CodeFrame{"k.cu", 4, 1, ""}, CodeFrame{"k.cu", 8, 2, ""}));
  EXPECT_THAT(formal.chains[2],
              ElementsAre(CodeFrame{"k.cu", 2, 1, ""}, CodeFrame{"k.cu", 3, 1, ""}, CodeFrame{"k.cu", 9, 5, ""}));
}

TEST(PtxLines, MissingCallsAreThoseOfTheLlvmIrIfItHasOnePossibility) {
  PtxLines lines = read_ptx_lines(
      ".file 1 \"/home/me/k.py\"\n.file 2 \"/lib/standard.py\"\n.loc 2 43 17\nadd;\n.loc 2 99 1\nadd;\n");
  complete_from_llvm(lines, read_llvm_lines(llir));
  EXPECT_THAT(lines.chains[0], SizeIs(2));
  EXPECT_EQ(lines.chains[0].back().line, 12);
  EXPECT_THAT(lines.chains[1], SizeIs(1));
  EXPECT_FALSE(lines.calls_known[1]);
}

TEST(KernelLines, FilesThatAreNotThereAreNone) {
  const KernelLines none = link_lines({}, "k", {});
  EXPECT_TRUE(none.lines.empty());
  EXPECT_EQ(none.place.line, 0);
}

}  // namespace
}  // namespace warpwalk::compiled

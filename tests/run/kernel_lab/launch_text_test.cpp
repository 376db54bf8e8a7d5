// Launches as text: parsing, the places of errors, and that a launch file and its text describe the same launch.
#include "core/run/kernel_lab/launch_text.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/run/kernel_lab/launch_statement.h"

namespace warpwalk::run {
namespace {

constexpr std::string_view saxpy = R"(# a comment
kernel saxpy
grid   4 x 2
block  256
shared 1024

x: f32[1000] random 7   # the input
y: f32[1000] iota
z: i32[16] -3
u: f64[2]
f: u8[4] file x.bin
x: again + 64
a: f32 2.5
b: f32 nan
n: i32 1000
s: bytes 00ff 1e
)";

LaunchText read(std::string_view text) {
  auto parsed = parse_launch_text(text);
  EXPECT_TRUE(std::holds_alternative<LaunchText>(parsed)) << std::get<Diagnostic>(parsed).with_place();
  return std::holds_alternative<LaunchText>(parsed) ? std::get<LaunchText>(std::move(parsed)) : LaunchText{};
}

std::string error(std::string_view text) {
  const auto parsed = parse_launch_text(text);
  const auto* const found = std::get_if<Diagnostic>(&parsed);
  EXPECT_TRUE(found == nullptr || found->text == Diagnostic::Text::launch);
  return found == nullptr ? "none" : found->with_place();
}

TEST(LaunchTextTest, ReadsEveryStatement) {
  const LaunchFile file = read(saxpy).file;
  EXPECT_EQ(file.kernel, "saxpy");
  EXPECT_EQ(file.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(file.block, (std::array<std::uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(file.dynamic_shared_bytes, 1024u);
  ASSERT_EQ(file.buffers.size(), 5u);
  EXPECT_EQ(std::get<FillRandom>(std::get<Fill>(file.buffers[0].content)).seed, 7u);
  EXPECT_TRUE(std::holds_alternative<FillIota>(std::get<Fill>(file.buffers[1].content)));
  EXPECT_EQ(std::get<FillValue>(std::get<Fill>(file.buffers[2].content)).bits, 0xfffffffdu);
  EXPECT_TRUE(std::holds_alternative<Unwritten>(file.buffers[3].content));
  EXPECT_EQ(std::get<std::filesystem::path>(file.buffers[4].content), "x.bin");
  ASSERT_EQ(file.arguments.size(), 10u);
  EXPECT_EQ(file.arguments[5].buffer, 0u);
  EXPECT_EQ(file.arguments[5].offset, 64u);
  EXPECT_EQ(file.arguments[6].bytes, (std::vector<std::uint8_t>{0, 0, 0x20, 0x40}));
  EXPECT_EQ(file.arguments[8].bytes, (std::vector<std::uint8_t>{0xe8, 3, 0, 0}));
  EXPECT_EQ(file.arguments[9].bytes, (std::vector<std::uint8_t>{0, 0xff, 0x1e}));
}

TEST(LaunchTextTest, ErrorsHaveTheirLine) {
  const std::string start = "kernel k\ngrid 1\nblock 32\n";
  EXPECT_EQ(error(start), "none");
  EXPECT_EQ(error("kernel k\ngrid 0\nblock 32").substr(0, 7), "line 2:");
  EXPECT_EQ(error("kernel k\ngrid 1\nblock x").substr(0, 7), "line 3:");
  EXPECT_EQ(error("kernel k\ngrid 1 x 2 x 3 x 4\nblock 32").substr(0, 7), "line 2:");
  EXPECT_EQ(error(start + "\nx: f32[-5]"), "line 5: count: is -5; expected an integer from 1 to 1099511627776");
  EXPECT_EQ(error(start + "x: f31[5]").substr(0, 15), "line 4: dtype: ");
  EXPECT_EQ(error(start + "x: f32[5"), "line 4: x: f32[5: the closing ] is missing");
  EXPECT_EQ(error(start + "x: f32[5] randon").substr(0, 14), "line 4: fill: ");
  EXPECT_EQ(error(start + "n: i8 300").substr(0, 16), "line 4: scalar: ");
  EXPECT_EQ(error(start + "n: i8"), "line 4: n: a value is missing after i8");
  EXPECT_EQ(error(start + "n:").substr(0, 28), "line 4: n: a type is missing");
  EXPECT_EQ(error(start + "shard 5").substr(0, 31), "line 4: shard: is not known her");
  EXPECT_EQ(error(start + "grid 2"), "line 4: grid appears twice");
  EXPECT_EQ(error("grid 1\nblock 1").substr(0, 26), "line 2: kernel: is missing");
  EXPECT_EQ(error(""), error("# nothing\n"));
  EXPECT_EQ(error(start + "x: f32[5] 1\nx: f32[5] 1").substr(0, 7), "line 5:");
  EXPECT_EQ(error(start + std::string("x\0y: f32[5]", 11)).substr(0, 7), "line 4:");
  EXPECT_EQ(error(start + "\"\\: f32[5] \"").substr(0, 7), "line 4:");
}

TEST(LaunchTextTest, ALaunchFileAndItsTextSayTheSame) {
  const auto json = launch_json(saxpy, "\"ptx\": \"saxpy.ptx\"", "");
  ASSERT_TRUE(std::holds_alternative<std::string>(json));
  const auto file = parse_launch_file(std::get<std::string>(json), "launch.json");
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->ptx, "saxpy.ptx");
  const auto text = launch_text(*file, "/somewhere");
  ASSERT_TRUE(std::holds_alternative<std::string>(text));
  EXPECT_EQ(std::get<std::string>(text), R"(kernel saxpy
grid   4 x 2
block  256
shared 1024

x: f32[1000] random 7
y: f32[1000] iota
z: i32[16] -3
u: f64[2]
f: u8[4] file /somewhere/x.bin
x: again + 64
n: f32 2.5
m: f32 nan
k: i32 1000
a: bytes 00ff1e
)");
  const LaunchFile again = read(std::get<std::string>(text)).file;
  EXPECT_EQ(again.arguments.size(), file->arguments.size());
  for (std::size_t i = 0; i < again.arguments.size(); ++i) {
    EXPECT_EQ(again.arguments[i].bytes, file->arguments[i].bytes);
    EXPECT_EQ(again.arguments[i].offset, file->arguments[i].offset);
  }
}

TEST(LaunchTextTest, StructsWithAddressesVariablesGpuAndCachesAreExpressed) {
  const std::string text = R"(kernel k
grid   2
block  64
gpu    a100
caches warm

a: f32[8] + 4 recorded
s: bytes 01000000020000000000000000000000
s.8: f32[16] recorded
t: bytes 0000000000000000ff
t.0 a: again + 16
n: i32 3
variable filter: f32[3] recorded
)";
  const LaunchText launch = read(text);
  EXPECT_EQ(launch.recorded, (std::vector<std::string>{"a", "s.8", "filter"}));
  const LaunchFile& file = launch.file;
  EXPECT_EQ(file.gpu, "a100");
  EXPECT_EQ(file.caches, gpu::CacheStart::warm);
  ASSERT_EQ(file.arguments.size(), 4u);
  EXPECT_EQ(file.arguments[0].offset, 4u);
  ASSERT_EQ(file.arguments[1].bytes.size(), 16u);
  EXPECT_EQ(file.arguments[1].bytes[4], 2);
  ASSERT_EQ(file.arguments[1].addresses.size(), 1u);
  EXPECT_EQ(file.arguments[1].addresses[0].at, 8u);
  EXPECT_EQ(file.buffers[*file.arguments[1].addresses[0].buffer].count, 16u);
  ASSERT_EQ(file.arguments[2].addresses.size(), 1u);
  EXPECT_EQ(file.arguments[2].addresses[0].offset, 16u);
  EXPECT_EQ(file.buffers.back().variable, "filter");
  EXPECT_EQ(std::get<std::filesystem::path>(file.buffers.back().content), recorded_file("filter"));
  const auto again = launch_text(file, "", {"", "s", "t", "n"});
  ASSERT_TRUE(std::holds_alternative<std::string>(again));
  // A struct ends at a multiple of the alignment of its addresses.
  std::string expected = text;
  expected.replace(expected.find("ff\n"), 3, "ff00000000000000\n");
  EXPECT_EQ(std::get<std::string>(again), expected);
  const auto json = launch_json(text, "\"cuda\": \"k.cu\"", "k.");
  ASSERT_TRUE(std::holds_alternative<std::string>(json));
  EXPECT_THAT(std::get<std::string>(json), ::testing::HasSubstr("\"file\": \"k.s.8.bin\""));
  EXPECT_THAT(std::get<std::string>(json), ::testing::HasSubstr("\"gpu\": \"a100\""));

  const std::string start = "kernel k\ngrid 1\nblock 32\ns: bytes 0000000000000000\n";
  EXPECT_EQ(error(start + "s.4: f32[5] 1").substr(0, 32), "line 5: s.4: no address can be t");
  EXPECT_EQ(error(start + "s.8: f32[5] 1").substr(0, 32), "line 5: s.8: no address can be t");
  EXPECT_EQ(error(start + "s.0: i32 5"), "line 5: s.0: expected a buffer, such as f32[1000] random 1");
  EXPECT_EQ(error(start + "variable v: i32"), "line 5: v: i32: the number of elements is missing");
  EXPECT_EQ(error(start + "variable v: f31[5] 1").substr(0, 14), "line 5: dtype:");
  EXPECT_EQ(error(start + "caches hot"), "line 5: caches: is \"hot\"; expected \"cold\" or \"warm\"");
}

TEST(LaunchStatement, IsReadSetAndAdded) {
  const std::string text = "kernel k\ngrid 4   # gpu t4\nblock 64\n\ngpu: f32[4]\n";
  EXPECT_EQ(statement_value(text, "gpu"), "");
  const std::string added = with_statement(text, "gpu", "a100");
  EXPECT_EQ(added, "kernel k\ngrid 4   # gpu t4\nblock 64\ngpu    a100\n\ngpu: f32[4]\n");
  EXPECT_EQ(statement_value(added, "gpu"), "a100");
  EXPECT_EQ(with_statement(added, "gpu", "h200"), with_statement(text, "gpu", "h200"));
  EXPECT_EQ(with_statement("kernel k\ncaches   # cold?\n", "caches", "warm"), "kernel k\ncaches warm   # cold?\n");
  EXPECT_EQ(with_statement("kernel k", "gpu", "t4"), "kernel k\ngpu    t4\n");
  EXPECT_EQ(with_statement("", "gpu", "t4"), "gpu    t4\n");
  EXPECT_EQ(with_statement("block 8 # c\ngrid 1", "grid", "12"), "block 8 # c\ngrid 12");
}

TEST(LaunchTextTest, TexturesAreRefused) {
  LaunchFile file;
  file.textures.emplace_back();
  const auto text = launch_text(file, "");
  ASSERT_TRUE(std::holds_alternative<LaunchTextError>(text));
  EXPECT_THAT(std::get<LaunchTextError>(text).line, ::testing::HasSubstr("textures"));
}

TEST(LaunchTextTest, WhatTheLabHasNoWordsForIsRefused) {
  const auto refused = [](std::string_view members) {
    const auto file = parse_launch_file(
        R"({"kernel": "k", "ptx": "k.ptx", "grid": [1], "block": [1], )" + std::string(members) + "}", "l.json");
    EXPECT_TRUE(file) << file.error();
    const auto text = launch_text(*file, "");
    const auto* const error = std::get_if<LaunchTextError>(&text);
    return error == nullptr ? "none" : error->line;
  };
  EXPECT_THAT(refused(R"("args": [{"function": "f"}])"), ::testing::HasSubstr("no addresses of functions"));
  EXPECT_THAT(refused(R"("args": [{"buffer": "a", "struct": [{"function": "f"}]}])"),
              ::testing::HasSubstr("no partly written buffers or buffers of addresses (a)"));
  EXPECT_THAT(refused(R"("args": [{"buffer": "a", "dtype": "u8", "count": 2, "fill": 1, "written": 1}])"),
              ::testing::HasSubstr("no partly written buffers or buffers of addresses (a)"));
  EXPECT_THAT(refused(R"("variables": {"v": {"struct": [{"function": "f"}]}})"),
              ::testing::HasSubstr("no addresses in variables (v)"));
  EXPECT_EQ(refused(R"("args": [{"struct": [{"scalar": 1, "dtype": "u8"}]}])"), "none");
}

TEST(DiagnosticTest, CompilersMessages) {
  const auto found = parse_compiler_log(
      "kernel.cu(3): error: identifier \"x\" is undefined\n"
      "    y = x;\n        ^\n\n"
      "kernel.cu(7): warning #177-D: variable \"t\" was declared but never referenced\n"
      "/usr/include/a.h(12): error: expected a \";\"\n"
      "kernel.cu(9): catastrophic error: cannot open source file \"b.h\"\n"
      "2 errors detected in the compilation of \"kernel.cu\".\n",
      "kernel.cu");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].with_place(), "line 3: identifier \"x\" is undefined");
  EXPECT_EQ(found[1].with_place(), "line 7: variable \"t\" was declared but never referenced");
  EXPECT_TRUE(found[1].warning);
  EXPECT_EQ(found[2].with_place(), "expected a \";\" (/usr/include/a.h, line 12)");
  EXPECT_EQ(found[3].with_place(), "line 9: cannot open source file \"b.h\"");
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "kernel.cu(1): error: no\n";
  EXPECT_EQ(parse_compiler_log(many, "kernel.cu").size(), max_diagnostics);
  EXPECT_TRUE(parse_compiler_log("\n\n(): (99999999999999999999): error", "kernel.cu").empty());
}

TEST(DiagnosticTest, PtxMessages) {
  EXPECT_EQ(parse_ptx_error("12:5: `fmaa.rn.f32`: unknown instruction").with_place(),
            "line 12, column 5: `fmaa.rn.f32`: unknown instruction");
  EXPECT_EQ(parse_ptx_error("line 12: `tex.1d`: not supported").with_place(), "line 12: `tex.1d`: not supported");
  EXPECT_EQ(parse_ptx_error("no place").with_place(), "no place");
  EXPECT_EQ(parse_ptx_error("7").with_place(), "7");
  const Diagnostic ptxas = parse_ptxas_error(
      "k.ptx: not compiled for sm_90: ptxas k.ptx, line 7; error   : Arguments mismatch for instruction 'mov'");
  EXPECT_EQ(ptxas.with_place(), "line 7: ptxas: Arguments mismatch for instruction 'mov'");
  EXPECT_EQ(parse_ptxas_error("ptxas took too long").line, 0u);
}

}  // namespace
}  // namespace warpwalk::run

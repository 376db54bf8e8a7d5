#include "core/story/facts/code/ptx_lines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/ptx/parse/parser.h"
#include "core/trace/sass_lines.h"

namespace warpwalk::story::testing {
namespace {

// The line after each line that is read.
std::vector<std::uint32_t> lines_after(std::string_view source_file, const std::string& files,
                                       const std::vector<std::string>& text) {
  PtxLines lines(files, source_file);
  std::vector<std::uint32_t> after;
  for (const std::string& line : text) {
    lines.read(line);
    after.push_back(lines.line());
  }
  return after;
}

const std::string files = "\t.file\t1 \"/inc/half.cuh\", 1700000000, 4321\n\t.file\t7 \"/src/relu.cu\"\n";
const std::vector<std::string> two_deep = {
    "\t.loc\t7 4 0",
    "\t.loc\t7 20 3",
    "\t.loc\t1 7 3, function_name $L__info_string0, inlined_at 7 20 3",
    "\t.loc\t1 3 3, function_name $L__info_string1+8, inlined_at 1 7 3",
    "\tmul.f32 \t%f2, %f1, 0f3F000000;",
    "\t.loc\t7 9 1, function_name $L__info_string2, inlined_at 7 20 3",
    "\t.loc\t1 3 3",
};

TEST(PtxLines, TheInnermostPlaceInTheFileCounts) {
  EXPECT_EQ(lines_after("kernels/relu.cu", files, two_deep), (std::vector<std::uint32_t>{4, 20, 20, 20, 20, 9, 0}));
  EXPECT_EQ(lines_after("half.cuh", files, two_deep), (std::vector<std::uint32_t>{0, 0, 7, 3, 3, 0, 3}));
  EXPECT_EQ(lines_after("other.cu", files, two_deep), std::vector<std::uint32_t>(7, 0));
}

TEST(PtxLines, WithoutNamesItIsTheFileOfTheFirstPlace) {
  const std::vector<std::uint32_t> of_file_7 = {4, 20, 20, 20, 20, 9, 0};
  EXPECT_EQ(lines_after("", files, two_deep), of_file_7);
  EXPECT_EQ(lines_after("relu.cu", "", two_deep), of_file_7);
  EXPECT_EQ(lines_after("", "", {"\t.loc 2 3 3, function_name $L, inlined_at 1 12 1", "\t.loc 1 13 1"}),
            (std::vector<std::uint32_t>{12, 13}));
}

TEST(PtxLines, APlaceThatWasNotToldIsTakenAsItIs) {
  EXPECT_EQ(lines_after("relu.cu", files,
                        {"\t.loc 7 1 0", "\t.loc 1 3 3, function_name $L, inlined_at 7 30 3",
                         "\t.loc 1 3 3, function_name $L, inlined_at 1 8 3"}),
            (std::vector<std::uint32_t>{1, 30, 0}));
}

TEST(PtxLines, OtherTextTellsNothing) {
  for (const char* const line : {"", ".", ".loc", ".loc ", ".loc 1", ".loc 1 2", ".loc 1 99999999999 1",
                                 ".local .b8 x;", ".loc 7 4 x", "ret; .loc 7 4 0", ".location 7 4 0"}) {
    PtxLines lines(files, "relu.cu");
    lines.read(line);
    EXPECT_FALSE(lines.has_place()) << line;
    EXPECT_EQ(lines.line(), 0u) << line;
  }
  EXPECT_EQ(
      lines_after("relu.cu", ".file\n.file x\n.file 3\n.file 4 \"relu.cu\n.filename 5 \"relu.cu\"", {".loc 4 8 1"}),
      std::vector<std::uint32_t>{8});
}

TEST(PtxLines, CallsInCommentsOfLlvmCount) {
  EXPECT_EQ(lines_after("k.py", ".file 1 \"/home/k.py\"\n.file 2 \"/lib/standard.py\"\n",
                        {".loc 2 293 36 // standard.py:293:36 @[ k.py:215:16 ]",
                         ".loc 2 263 15 // standard.py:263:15 @[ standard.py:293:36 @[ k.py:23:9 ] ]",
                         ".loc 2 7 1 // standard.py:7:1 @[ other.py:3:1 ]", ".loc 1 4 1 // k.py:4:1 @[ k.py:9:1 ]"}),
            (std::vector<std::uint32_t>{215, 23, 0, 4}));
}

/// Compares with the parser of the simulated GPU, which reads the places in its own way. Returns the instructions.
std::size_t compare_with_parser(const std::filesystem::path& file, const std::string& source_file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const auto parsed = ptx::parse(text);
  EXPECT_EQ(parsed.index(), 0u) << file;
  if (parsed.index() != 0) return 0;
  const auto& module = std::get<ptx::Module>(parsed);
  std::vector<std::string_view> lines(1);
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    lines.push_back(std::string_view(text).substr(at, text.find('\n', at) - at));
  std::size_t compared = 0;
  for (const ptx::Function& function : module.functions) {
    if (!function.defined || function.instructions.empty()) continue;
    PtxLines places(text, source_file);
    std::size_t read = function.line;
    for (const ptx::Instruction& instruction : function.instructions) {
      for (; read <= instruction.line; ++read) places.read(lines[read]);
      std::uint32_t expected = 0;
      for (std::int32_t at = instruction.location; at >= 0 && expected == 0;) {
        const ptx::Location& location = function.locations[static_cast<std::size_t>(at)];
        if (trace::file_name(module.files[location.file].name) == source_file) expected = location.line;
        at = location.inlined_at;
      }
      EXPECT_EQ(places.line(), expected) << file << ':' << instruction.line;
      ++compared;
    }
  }
  return compared;
}

TEST(PtxLines, OfTheShippedKernelsAsTheParserReadsThem) {
  std::size_t compared = 0;
  for (const auto& file : std::filesystem::directory_iterator(WARPWALK_SOURCE_DIR "/assets/ptx"))
    compared += compare_with_parser(file.path(), file.path().stem().string() + ".cu");
  EXPECT_GT(compared, 10'000u);
}

TEST(PtxLines, OfTritonsKernelsAsTheParserReadsThem) {
  const std::filesystem::path data = WARPWALK_SOURCE_DIR "/tests/compiled/data";
  EXPECT_GT(compare_with_parser(data / "softmax_kernel/softmax_kernel.ptx", "zoo.py"), 100u);
}

}  // namespace
}  // namespace warpwalk::story::testing

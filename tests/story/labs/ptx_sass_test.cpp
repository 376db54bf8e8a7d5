// The lab of PTX and machine code, against NVIDIA's own disassemblers and an H200.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/sass/analysis/control_flow.h"
#include "core/story/facts/code/decoded_kernel.h"
#include "core/story/scene_list.h"
#include "tests/reference/measured.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view ptx_sass_scene = "lab/ptx-sass";
constexpr std::int64_t linked_beat = 1, levels_beat = 2, kinds_beat = 3, moved_beat = 4, codes_beat = 5;
constexpr double tiled = 0, naive = 1, transpose = 2;
constexpr double debug = 0, o1 = 2, o3 = 4;

const records::CompiledLevel& level_of(const std::string& kernel, const std::string& level) {
  const auto found = std::ranges::find(hardware().levelled, kernel, &records::LevelledKernel::name);
  return *std::ranges::find(found->levels, (level == "G" ? "-" : "-O") + level, &records::CompiledLevel::name);
}

DecodedKernel decoded(const std::string& kernel, const std::string& level) {
  const auto found = std::ranges::find(hardware().levelled, kernel, &records::LevelledKernel::name);
  return *decoded_kernel(level_of(kernel, level).module, found->entry);
}

TEST(KernelLevels, AreReadLineByLine) {
  const std::string head = "kernel,level,cycles_measured,cycles_simulated,warp_instructions\n";
  const auto read = records::parse_level_figures(head + "k,G,10,11.5,12\r\nk,3,1,2,3\n");
  ASSERT_TRUE(read) << read.error();
  const auto& rows = *read;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].level, "G");
  EXPECT_EQ(rows[0].cycles_simulated, 11.5);
  for (const char* const wrong : {"k,G,10,11\n", "k,G,10,11,12,13\n", ",G,1,1,1\n", "k,,1,1,1\n", "k,G,x,1,1\n",
                                  "k,G,0,1,1\n", "k,G,1,inf,1\n"}) {
    const auto bad = records::parse_level_figures(head + wrong);
    ASSERT_FALSE(bad) << wrong;
    EXPECT_EQ(bad.error().find("line 2"), 0u) << bad.error();
  }
  EXPECT_FALSE(records::parse_level_figures("kernel,level\n"));
}

TEST(KernelLevels, WithoutTheFolderThereAreNone) {
  const auto [kernels, error] = records::load_kernel_levels("/nowhere");
  EXPECT_TRUE(kernels.empty());
  EXPECT_FALSE(error);
}

TEST(KernelLevels, HaveTheInstructionsThatCuobjdumpLists) {
  std::map<std::string, std::map<std::string, int>> listed;
  for (const reference::Row& row : reference::rows_of(WARPWALK_SOURCE_DIR "/tests/story/levels/opcodes.csv"))
    listed[row.at("kernel") + " " + row.at("level")][row.at("opcode")] = std::stoi(row.at("count"));
  ASSERT_EQ(listed.size(), 20u);
  for (const records::LevelledKernel& kernel : hardware().levelled)
    for (const std::string level : {"G", "0", "1", "2", "3"}) {
      std::map<std::string, int> counts;
      const trace::Module& module = level_of(kernel.name, level).module;
      const DecodedKernel entry = decoded(kernel.name, level);
      for (const sass::CubinFunction& function : entry.cubin.functions) {
        const auto code = decoded_kernel(module, function.name);
        ASSERT_TRUE(code);
        for (const sass::Decoded& one : code->code) {
          ASSERT_TRUE(std::holds_alternative<sass::Instruction>(one));
          ++counts[std::string(sass::name_of(std::get<sass::Instruction>(one).opcode))];
        }
      }
      EXPECT_EQ(counts, listed[kernel.name + " " + level]) << kernel.name << " " << level;
    }
}

TEST(KernelLevels, ExecuteWhatAnH200Counted) {
  int rows = 0;
  for (const reference::Row& row : reference::rows_of(WARPWALK_SOURCE_DIR "/tests/validate/levels_measured.csv")) {
    const records::CompiledLevel& level = level_of(row.at("kernel"), row.at("level"));
    EXPECT_EQ(level.executed_instructions, std::stod(row.at("warp_instructions"))) << level.name;
    EXPECT_EQ(level.cycles_measured, std::stod(row.at("cycles"))) << level.name;
    EXPECT_EQ(decoded(row.at("kernel"), row.at("level")).function->registers,
              static_cast<std::uint32_t>(std::stoi(row.at("registers"))));
    EXPECT_NEAR(level.cycles_simulated / level.cycles_measured, 1, 0.11) << row.at("kernel") << level.name;
    ++rows;
  }
  EXPECT_EQ(rows, 20);
}

// Lines from nvdisasm -g; control codes from the words that cuobjdump prints, taken apart by a script.
TEST(PtxSass, LinesAndControlCodesAreNvidias) {
  const DecodedKernel kernel = decoded("matmul_tiled", "3");
  const auto rows = reference::rows_of(WARPWALK_SOURCE_DIR "/tests/story/levels/matmul_tiled.csv");
  ASSERT_EQ(rows.size(), kernel.code.size());
  const auto map = line_map(kernel, "matmul_tiled.cu");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto number = [&](const char* column) { return static_cast<std::uint32_t>(std::stoul(rows[i].at(column))); };
    const sass::Control& control = std::get<sass::Instruction>(kernel.code[i]).control;
    EXPECT_EQ(map[i].sass_offset, number("address"));
    EXPECT_EQ(map[i].source_line, number("line")) << i;
    EXPECT_EQ(control.stall, number("stall"));
    EXPECT_EQ(control.yield, number("yield") == 1);
    EXPECT_EQ(control.write_barrier, number("write"));
    EXPECT_EQ(control.read_barrier, number("read"));
    EXPECT_EQ(control.wait_mask, number("wait"));
    EXPECT_EQ(control.reuse, number("reuse"));
  }
}

TEST(PtxSass, ALineOfSourceLightsItsPtxAndMachineCode) {
  // Line 9 loads a tile of b: LDG and STS.
  const Stage stage = lab_with(ptx_sass_scene, linked_beat, {{"kernel", tiled}, {"line", 9}});
  const CodePicture& code = panel_picture<CodePicture>(stage, 0, 0);
  EXPECT_EQ(code.line, 9);
  std::map<std::string, std::vector<std::string>> lit;
  for (const CodePicture::Column& column : code.columns)
    for (const CodeLine& line : column.window.lines)
      if (line.lit) lit[column.name].push_back(line.text);
  EXPECT_EQ(lit["PTX"].size(), 2u);
  EXPECT_EQ(lit["machine code"], (std::vector<std::string>{"LDG.E R25, desc[UR8][R20.64]", "STS [R6], R25"}));
}

TEST(PtxSass, TheLevelChangesTheMachineCode) {
  EXPECT_EQ(
      fact_text(lab_with(ptx_sass_scene, linked_beat, {{"kernel", tiled}, {"level", o3}}), "Machine instructions"),
      "121");
  EXPECT_EQ(
      fact_text(lab_with(ptx_sass_scene, linked_beat, {{"kernel", tiled}, {"level", debug}}), "Machine instructions"),
      "340");
  EXPECT_EQ(fact_text(lab_with(ptx_sass_scene, linked_beat, {{"kernel", tiled}, {"level", o3}}), "PTX instructions"),
            "151");
  EXPECT_EQ(
      fact_text(lab_with(ptx_sass_scene, linked_beat, {{"kernel", tiled}, {"level", o1}}), "Registers per thread"),
      "28");
}

TEST(PtxSass, TheKindsAddUpToTheInstructions) {
  for (const double kernel : {tiled, naive, transpose}) {
    const Stage sizes = lab_with(ptx_sass_scene, levels_beat, {{"kernel", kernel}}),
                by_kind = lab_with(ptx_sass_scene, kinds_beat, {{"kernel", kernel}});
    for (std::size_t level = 0; level < 5; ++level) {
      std::int64_t sum = 0;
      const TableRow& row = panel_picture<TablePicture>(by_kind, 0, 0).rows.at(level);
      for (std::size_t c = 1; c < row.cells.size(); ++c) sum += std::llround(row.cells[c].figure->value());
      EXPECT_EQ(static_cast<double>(sum),
                panel_picture<TablePicture>(sizes, 0, 0).rows.at(level).cells.at(1).figure->value());
    }
  }
}

TEST(PtxSass, AMergedInstructionShowsTheOneThatDoesItsWork) {
  const Stage stage = lab_with(ptx_sass_scene, moved_beat, {{"kernel", tiled}, {"ptx", 103}});
  for (const TableRow& row : panel_picture<TablePicture>(stage, 0, 0).rows)
    if (row.followed) {
      EXPECT_EQ(row.cells.at(2).text, "merged into 97");
    }
  for (const CodeLine& line : panel_picture<CodePicture>(stage, 0, 1).columns.at(0).window.lines)
    EXPECT_EQ(line.lit, line.text == "LDS.128 R12, [R16]") << line.text;
}

TEST(PtxSass, AWaitNamesTheInstructionThatItIsFor) {
  // 0x2a0 STS [R7], R24 needs the R24 that the LDG at 0x230 loads.
  const Stage stage = lab_with(ptx_sass_scene, codes_beat, {{"kernel", tiled}, {"instruction", 0x2a}});
  std::string words;
  for (const TableRow& row : panel_picture<TablePicture>(stage, 0, 1).rows) words += row.cells.at(0).text + "\n";
  EXPECT_THAT(words, ::testing::HasSubstr("which LDG at 0230 sets"));
}

TEST(PtxSass, TasksAreDoneByTheSettings) {
  const auto done = [](double kernel, double level, double ptx, double instruction) {
    return tasks_done(ptx_sass_scene,
                      {{"kernel", kernel}, {"level", level}, {"ptx", ptx}, {"instruction", instruction}});
  };
  EXPECT_EQ(done(tiled, o3, 96, 0), "-----");
  EXPECT_EQ(done(transpose, o1, 0, 0), "x----");
  EXPECT_EQ(done(transpose, o3, 0, 0), "-----");
  EXPECT_EQ(done(tiled, debug, 0, 0), "-x---");
  EXPECT_EQ(done(naive, o3, 72, 0), "--x--");
  EXPECT_EQ(done(tiled, o3, 40, 0), "---x-");  // shl, in LEA
  EXPECT_EQ(done(tiled, o3, 96, 0x2a), "----x");
}

TEST(PtxSass, AnyValueOfAnyControlGivesAPicture) {
  for (std::int64_t beat = 1; beat <= 6; ++beat)
    for (const double kernel : {-1.0, 0.0, 3.0, 4.0, 1e300})
      for (const double level : {-5.0, 2.5, 1e9})
        for (const double place : {-1e300, 50.0, 107.5, 1e300}) {
          const Stage stage =
              lab_with(ptx_sass_scene, beat,
                       {{"kernel", kernel}, {"level", level}, {"ptx", place}, {"instruction", place}, {"line", place}});
          EXPECT_FALSE(lab_panels(stage).rows.empty());
        }
}

TEST(PtxSass, StartsWithTheFollowedKernelIfItHasBothTexts) {
  const Trace& trace = sample("h200_vecadd");
  const auto at = [&](std::int64_t beat, double kernel) {
    Controls controls;
    if (kernel >= 0) controls.set("lab/ptx-sass.kernel", kernel);
    return stage_at_beat(*find_scene(ptx_sass_scene), trace, default_walk(trace), beat, 1, controls);
  };
  EXPECT_EQ(fact_text(at(linked_beat, -1), "Kernel"), "vecadd");
  EXPECT_EQ(fact_text(at(moved_beat, -1), "PTX instructions"), "22");
  EXPECT_EQ(fact_text(at(codes_beat, -1), "Registers per thread"), "12");
  EXPECT_EQ(fact_text(at(linked_beat, naive), "Kernel"), "matmul_naive");
  EXPECT_EQ(fact_text(at(levels_beat, -1), "Kernel"), "matmul_tiled");  // only examples have levels
}

TEST(PtxSass, WithoutExamplesItSaysSo) {
  const Trace& trace = sample("relu_matmul");
  Hardware none;
  none.devices = hardware().devices;
  for (std::int64_t beat = 1; beat <= 6; ++beat) {
    const Stage stage = stage_of(*find_scene(ptx_sass_scene),
                                 {trace, default_walk(trace), english(), none, {Moment::Kind::beat, beat, 1}});
    EXPECT_EQ(stage.title, "No code to compare");
    EXPECT_FALSE(stage.missing.empty());
  }
}

}  // namespace
}  // namespace warpwalk::story::testing

// Labs: their figures against counts made one by one, and any value of any control.
#include "core/story/labs/labs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/parameters.h"
#include "core/records/hardware.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Stage lab_at(std::string_view name, std::int64_t beat, const Controls& controls = {}) {
  const Trace& trace = sample("relu_matmul");
  return stage_at_beat(*find_scene(name), trace, default_walk(trace), beat, 1, controls);
}

// A launch whose block has twice the threads that a block may have.
Controls too_many_threads() {
  Controls controls;
  controls.set("lab/launch-anatomy.block_x", 1024);
  controls.set("lab/launch-anatomy.block_y", 2);
  return controls;
}

TEST(Labs, AreFoundByNameAndOpenFromAScene) {
  ASSERT_FALSE(labs().empty());
  for (const Scene& lab : labs()) {
    EXPECT_TRUE(lab.is_lab());
    EXPECT_TRUE(lab.name.starts_with("lab/") || lab.name == "ranks" || lab.name == "crash");
    EXPECT_EQ(find_scene(lab.name), &lab);
    const Scene* const from = find_scene(lab.opens_from);
    ASSERT_NE(from, nullptr) << lab.name;
    EXPECT_FALSE(from->is_lab());
  }
}

TEST(LaunchAnatomy, BeginsWithTheFollowedLaunch) {
  const Stage stage = lab_at("lab/launch-anatomy", 1);
  EXPECT_EQ(fact_text(stage, "Threads"), "16,384");  // 8 x 16 blocks of 128 threads
  EXPECT_EQ(fact_text(stage, "Warps per block"), "4");
  EXPECT_EQ(stage.title, "One line starts 16,384 threads");
  Controls one;
  for (const char* const part : {"grid_x", "grid_y", "block_x", "elements"})
    one.set(std::string("lab/launch-anatomy.") + part, 1);
  EXPECT_EQ(lab_at("lab/launch-anatomy", 1, one).title, "One line starts 1 thread");
  for (const Control& control : stage.controls) EXPECT_FALSE(control.set) << control.name;
}

TEST(LaunchAnatomy, ColoursEveryThreadByWhetherItHasAnElement) {
  for (const std::int64_t n : {1, 95, 96, 97, 384, 1000}) {
    Controls controls;
    const std::string lab = "lab/launch-anatomy.";
    for (const auto& [part, value] :
         std::initializer_list<std::pair<const char*, double>>{{"grid_x", 2},
                                                               {"grid_y", 2},
                                                               {"block_x", 48},
                                                               {"block_y", 2},
                                                               {"elements", static_cast<double>(n)},
                                                               {"block", 1},
                                                               {"thread", 95}})
      controls.set(lab + part, value);
    const Stage stage = lab_at("lab/launch-anatomy", 4, controls);
    std::int64_t elements = 0;
    for (const Control& control : stage.controls)
      if (control.name == "elements") elements = static_cast<std::int64_t>(control.value);
    const auto& row = shared_picture<Panels>(stage).rows.at(0);
    const auto& threads = std::get<CellGrid>(row.panels.at(1).picture);
    ASSERT_EQ(threads.cells.size(), 96u);
    for (std::int64_t thread = 0; thread < 96; ++thread)
      EXPECT_EQ(threads.cells[static_cast<std::size_t>(thread)].tone,
                96 + thread < elements ? Tone::work : Tone::refused)
          << n << " " << thread;
    EXPECT_EQ(fact_text(stage, "Index i of the chosen thread"), "191");
    EXPECT_EQ(fact_text(stage, "Its warp and lane"), "2, 31");
    EXPECT_EQ(fact_text(stage, "Threads without an element"),
              fmt::to_string(std::max<std::int64_t>(0, 384 - elements)));
  }
}

// The kernel of h200_matmul has 2 KiB of static shared memory, which no launch line names.
TEST(LaunchAnatomy, TheLineHasTheDynamicSharedMemoryAlone) {
  const Trace& trace = sample("h200_matmul");
  const Walk walk = default_walk(trace);
  const Stage stage = stage_at_beat(*find_scene("lab/launch-anatomy"), trace, walk, 1, 1, {});
  EXPECT_THAT(panel_picture<CodePicture>(stage).columns.at(0).window.lines.at(0).text,
              ::testing::HasSubstr("dim3(16, 16, 1), 0, stream"));
  // Where the two parts are one number, none of it is taken for the dynamic part.
  EXPECT_THAT(panel_picture<CodePicture>(lab_at("lab/launch-anatomy", 1)).columns.at(0).window.lines.at(0).text,
              ::testing::HasSubstr("dim3(128, 1, 1), 0, stream"));
}

TEST(LaunchAnatomy, RefusesWhatIsOverALimit) {
  const Stage stage = lab_at("lab/launch-anatomy", 5, too_many_threads());
  const auto& table = panel_picture<TablePicture>(stage);
  for (const TableRow& row : table.rows)
    EXPECT_EQ(row.followed, row.cells[0].text == "threads per block") << row.cells[0].text;
}

TEST(LaunchAnatomy, EachLimitSaysWhereItIsFrom) {
  const Stage stage = lab_at("lab/launch-anatomy", 5);
  const auto& table = panel_picture<TablePicture>(stage);
  ASSERT_EQ(table.rows.size(), 9u);
  for (const TableRow& row : table.rows) {
    ASSERT_TRUE(row.cells[2].figure) << row.cells[0].text;
    EXPECT_EQ(row.cells[2].figure->origin(), Origin::explained) << row.cells[0].text;
    EXPECT_FALSE(row.cells[2].figure->formula().empty()) << row.cells[0].text;
  }
  const gpu::Device& h200 = *hardware().find("h200");
  EXPECT_EQ(table.rows[0].cells[2].figure->text(), "2,147,483,647");
  EXPECT_EQ(table.rows[6].cells[2].figure->formula(), h200.threads_per_block.source);
  EXPECT_EQ(table.rows[8].cells[2].figure->value(), static_cast<double>(*h200.shared_per_block_optin));
  EXPECT_EQ(table.rows[8].cells[2].figure->formula(), h200.shared_per_block_optin.source);
}

TEST(LaunchAnatomy, ALaunchOverALimitComputesNothing) {
  for (const std::int64_t beat : {1, 2, 3, 4}) {
    const Stage stage = lab_at("lab/launch-anatomy", beat, too_many_threads());
    EXPECT_EQ(stage.title, "This launch fails (threads per block: 2,048, limit 1,024)");
    EXPECT_EQ(fact_text(stage, "Verdict"), "fails: 2,048 > 1,024");
    for (const char* const computed : {"Threads", "Index i of the chosen thread", "Its warp and lane"})
      EXPECT_EQ(fact_text(stage, computed), "(none)");
    for (const Panel& panel : shared_picture<Panels>(stage).rows.back().panels) {
      const auto& cells = std::get<CellGrid>(panel.picture);
      EXPECT_TRUE(cells.note.ends_with("The launch fails: threads per block: 2,048, limit 1,024.")) << cells.note;
      EXPECT_TRUE(std::ranges::all_of(cells.cells, [](const Cell& cell) { return cell.tone == Tone::refused; }));
    }
    const std::string words = transcript(stage);
    for (const char* const claim : {"it doubles", "computes i", "starts 2", "One line"})
      EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr(claim)));
  }
}

TEST(LaunchAnatomy, SharedMemoryAboveTheDefaultNeedsAnOptIn) {
  const auto verdicts = [](double bytes) {
    Controls controls;
    controls.set("lab/launch-anatomy.shared", bytes);
    const Stage stage = lab_at("lab/launch-anatomy", 5, controls);
    const auto& table = panel_picture<TablePicture>(stage);
    const Stage first = lab_at("lab/launch-anatomy", 1, controls);
    return std::tuple{table.rows[7].cells[3].tone, table.rows[8].cells[3].tone,
                      fact_text(first, "Verdict") == "(none)"};
  };
  EXPECT_EQ(verdicts(48 * 1024), (std::tuple{Tone::work, Tone::work, true}));
  EXPECT_EQ(verdicts(64 * 1024), (std::tuple{Tone::shared, Tone::work, true}));
  EXPECT_EQ(verdicts(240 * 1024), (std::tuple{Tone::shared, Tone::refused, false}));
}

// The lab shows every parameter that a description has, once, with its value, unit, status, meaning and source.
TEST(ParametersLab, ShowsEveryParameterOfEveryGpu) {
  for (std::size_t d = 0; d < hardware().devices.size(); ++d) {
    const gpu::Device& device = hardware().devices[d];
    Controls controls;
    controls.set("lab/parameters.device", static_cast<double>(d));
    std::map<std::string, std::size_t> shown;
    const std::int64_t beats = lab_at("lab/parameters", 1).beats;
    for (std::int64_t beat = 1; beat <= beats; ++beat) {
      const Stage stage = lab_at("lab/parameters", beat, controls);
      EXPECT_EQ(shared_picture<Panels>(stage).rows.at(0).panels.at(0).heading, device.name);
      const auto& table = panel_picture<TablePicture>(stage);
      EXPECT_FALSE(table.rows.empty()) << device.id << " " << stage.title;
      for (const TableRow& row : table.rows) {
        ASSERT_EQ(row.cells.size(), 5u);
        ++shown[row.cells[0].text];
        for (const std::size_t cell : {1u, 3u, 4u})
          EXPECT_FALSE(row.cells[cell].shown().empty()) << row.cells[0].text << " " << cell;
        EXPECT_FALSE(row.cells[4].below.empty()) << row.cells[0].text;
        EXPECT_THAT(row.cells[4].text, ::testing::Not(::testing::HasSubstr("(no narration")));
      }
    }
    const std::vector<gpu::ParameterRow> rows = gpu::parameter_rows(device);
    EXPECT_EQ(shown.size(), rows.size()) << device.id;
    for (const gpu::ParameterRow& row : rows) EXPECT_EQ(shown[std::string(row.info->name)], 1u) << row.info->name;
    EXPECT_EQ(fact_text(lab_at("lab/parameters", 1, controls), "Parameters of this GPU"), fmt::to_string(rows.size()));
  }
}

TEST(ParametersLab, BeginsWithTheGpuOfTheWalk) {
  const Stage stage = lab_at("lab/parameters", 2);
  ASSERT_EQ(stage.controls.size(), 1u);
  EXPECT_EQ(stage.controls[0].shown, "H200");
  EXPECT_FALSE(stage.controls[0].set);
  const auto& table = panel_picture<TablePicture>(stage);
  const auto row = std::ranges::find(table.rows, "registers_per_sm", [](const TableRow& r) { return r.cells[0].text; });
  ASSERT_NE(row, table.rows.end());
  EXPECT_EQ(row->cells[1].shown(), "65,536");
  EXPECT_EQ(row->cells[1].figure->origin(), Origin::explained) << "published";
  EXPECT_EQ(row->cells[2].text, "registers");
  EXPECT_EQ(row->cells[3].text, "published");
  EXPECT_EQ(row->cells[4].text, "32-bit registers of an SM");
  EXPECT_EQ(row->cells[4].below, hardware().find("h200")->registers_per_sm.source);
}

TEST(Labs, AnyValueOfAnyControlGivesAPicture) {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> values = {-1e300, 1e9, std::nan("")};
  if (!sanitized) values.insert(values.end(), {-1.0, 0.0, 0.4, 7.5, 1e300, inf, -inf});
  for (const Scene& lab : labs()) {
    const Stage plain = lab_at(lab.name, 1);
    for (const Control& control : plain.controls)
      for (const double value : values)
        for (std::int64_t beat = 1; beat <= plain.beats; ++beat) {
          Controls controls;
          controls.set(fmt::format("{}.{}", lab.name, control.name), value);
          EXPECT_FALSE(everything_on(lab_at(lab.name, beat, controls)).empty());
        }
  }
}

}  // namespace
}  // namespace warpwalk::story::testing

// The beat of the translator with what each line cost.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/run/replay/time_travel.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/translator/picture.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

Stage lines_stage(const Crafted& one, const Controls& controls = {}, const HistoryView* view = nullptr) {
  const Scene& scene = *find_scene("translator");
  SceneInput input{one.trace, one.walk, english(), hardware(), {}, controls};
  input.moment = {Moment::Kind::beat, beat_named(scene, one.trace, one.walk, "lines"), 1};
  input.history = view == nullptr ? one.view() : *view;
  return stage_of(scene, input);
}

const LinesPane& lines_pane(const Stage& stage) { return *shared_picture<TranslatorPicture>(stage).lines; }

const LinesPane::Row& row_of(const Stage& stage, std::string_view number) {
  const std::vector<LinesPane::Row>& rows = lines_pane(stage).rows;
  const auto found = std::ranges::find(rows, number, &LinesPane::Row::number);
  if (found == rows.end()) throw std::runtime_error("no row " + std::string(number));
  return *found;
}

const Control& control_of(const Stage& stage, std::string_view name) {
  const auto found = std::ranges::find(stage.controls, name, &Control::name);
  if (found == stage.controls.end()) throw std::runtime_error("no control " + std::string(name));
  return *found;
}

// "1,234" -> 1234, "" -> 0
std::uint64_t count_in(const std::string& cell) {
  std::uint64_t number = 0;
  for (const char c : cell.substr(0, cell.find(' ')))
    if (c >= '0' && c <= '9') number = 10 * number + static_cast<std::uint64_t>(c - '0');
  return number;
}

Controls with(std::initializer_list<std::pair<const char*, double>> values) {
  Controls controls;
  for (const auto& [name, value] : values) controls.set(std::string("translator.") + name, value);
  return controls;
}

constexpr double by_conflicts = 2;  // of the metrics: stall cycles, sectors beyond the ideal, conflicts, instructions

const Crafted& costly() { return crafted_named("costs by line"); }

// 8 warps of 32 lanes with one element in each sector of 32 bytes, and 32 rows of one bank.
TEST(TranslatorLines, EachFigureStandsAtItsLine) {
  const Stage stage = lines_stage(costly());
  EXPECT_EQ(lines_pane(stage).name, "Source");
  EXPECT_EQ(row_of(stage, "3").costs.sectors, "256 / 32");
  EXPECT_EQ(row_of(stage, "3").costs.conflicts, "");
  EXPECT_EQ(row_of(stage, "4").costs.conflicts, "248");  // 8 x 31
  EXPECT_EQ(row_of(stage, "4").costs.sectors, "");
  EXPECT_EQ(row_of(stage, "4").costs.reason, "long_scoreboard");  // for the value that line 3 asked for
  EXPECT_EQ(row_of(stage, "1").costs.instructions, "");
  EXPECT_EQ(lines_pane(stage).total.conflicts, "248");
}

TEST(TranslatorLines, TheColumnsAddUpToTheLaunch) {
  for (const char* const name : {"costs by line", "inner: machine code"}) {
    const Crafted& one = name == std::string_view("costs by line") ? costly() : crafted_inner_named(name);
    const gpu::LaunchTiming& timing = one.travel->timing();
    const std::size_t texts = control_of(lines_stage(one), "text").words.size();
    EXPECT_GE(texts, 2u);
    for (std::size_t text = 0; text < texts; ++text) {
      const Stage stage = lines_stage(one, with({{"text", static_cast<double>(text)}}));
      const LinesPane& pane = lines_pane(stage);
      std::uint64_t instructions = count_in(pane.elsewhere.instructions), stalls = count_in(pane.elsewhere.stall);
      for (const LinesPane::Row& row : pane.rows) {
        instructions += count_in(row.costs.instructions);
        stalls += count_in(row.costs.stall);
      }
      EXPECT_EQ(instructions, timing.warp_instructions) << name << pane.name;
      EXPECT_EQ(instructions, count_in(pane.total.instructions));
      std::uint64_t waited = 0;
      for (std::size_t r = 0; r < timing.stalls.size(); ++r)
        if (static_cast<gpu::StallReason>(r) != gpu::StallReason::selected) waited += timing.stalls[r];
      EXPECT_EQ(stalls, waited) << name << pane.name;
      EXPECT_EQ(fact_text(stage, "Warp instructions"), pane.total.instructions);
    }
  }
}

TEST(TranslatorLines, RanksGoFromTheHottestToTheNext) {
  const Stage stage = lines_stage(costly());
  const Control& rank = control_of(stage, "rank");
  EXPECT_TRUE(rank.stepped);  // so that a key goes to the next hottest line
  ASSERT_GE(rank.steps.size(), 2u);
  std::uint64_t before = ~std::uint64_t{0};
  for (const double step : rank.steps) {
    const Stage at = lines_stage(costly(), with({{"rank", step}}));
    const LinesPane& pane = lines_pane(at);
    const LinesPane::Row& chosen = pane.rows[pane.focus];
    EXPECT_TRUE(chosen.chosen);
    EXPECT_EQ(chosen.rank, static_cast<std::int64_t>(step));
    EXPECT_LE(count_in(chosen.costs.stall), before);
    before = count_in(chosen.costs.stall);
    EXPECT_EQ(chosen.heat == 1, step == 1);
  }
  // By conflicts there is one line.
  const Stage conflicts = lines_stage(costly(), with({{"metric", by_conflicts}}));
  EXPECT_EQ(control_of(conflicts, "rank").steps.size(), 1u);
  EXPECT_TRUE(row_of(conflicts, "4").chosen);
  EXPECT_EQ(row_of(conflicts, "3").heat, 0);
  EXPECT_EQ(lines_pane(conflicts).note, "4: 100 % (Bank conflicts)");
}

TEST(TranslatorLines, TheSameConflictsStandInThePtx) {
  const Stage stage = lines_stage(costly(), with({{"text", 1}, {"metric", by_conflicts}}));
  const LinesPane& pane = lines_pane(stage);
  EXPECT_EQ(pane.name, "PTX");
  EXPECT_NE(pane.rows[pane.focus].text.find("st.shared.f32"), std::string::npos);
  EXPECT_EQ(pane.rows[pane.focus].costs.conflicts, "248");
  EXPECT_EQ(pane.rows[pane.focus].source_line, 4);
}

TEST(TranslatorLines, MachineCodeHasAddresses) {
  const Crafted& one = crafted_inner_named("inner: machine code");
  const std::vector<std::string> texts = control_of(lines_stage(one), "text").words;
  const auto sass = std::ranges::find(texts, "SASS");
  ASSERT_NE(sass, texts.end());
  const Stage stage = lines_stage(one, with({{"text", static_cast<double>(sass - texts.begin())}}));
  const LinesPane& pane = lines_pane(stage);
  EXPECT_EQ(pane.elsewhere.instructions, "");
  EXPECT_EQ(pane.rows.front().number, number_text(CodeKind::sass, 0));
  EXPECT_FALSE(pane.rows.front().costs.instructions.empty());
  const auto load =
      std::ranges::find_if(pane.rows, [](const LinesPane::Row& row) { return row.text.starts_with("LDG"); });
  ASSERT_NE(load, pane.rows.end());
  EXPECT_FALSE(load->costs.sectors.empty());
}

TEST(TranslatorLines, WithoutCyclesTheCodeStandsAlone) {
  HistoryView view;
  view.state = HistoryView::State::impossible;
  view.reason = "a reason";
  const Stage stage = lines_stage(costly(), {}, &view);
  const auto& picture = shared_picture<TranslatorPicture>(stage);
  EXPECT_FALSE(picture.lines);
  ASSERT_TRUE(picture.code);
  EXPECT_FALSE(picture.code->columns.front().window.lines.empty());
  EXPECT_TRUE(std::ranges::any_of(stage.missing,
                                  [](const std::string& text) { return text.find("a reason") != std::string::npos; }));
}

}  // namespace
}  // namespace warpwalk::story::testing

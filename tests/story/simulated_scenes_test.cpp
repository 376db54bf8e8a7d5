// The scenes sm, launch and map with a simulated launch, and that they still show the same as without one.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/facts/simulated/block_times.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view scene_names[] = {"sm", "launch", "map"};

const Crafted& any_crafted(std::string_view name) {
  for (const std::vector<Crafted>* const some : {&crafted_inner(), &crafted()})
    for (const Crafted& one : *some)
      if (one.name == name) return one;
  ADD_FAILURE() << "no crafted trace is called " << name;
  return crafted_inner().front();
}

// The last beat that shows the simulation; the map has its closing page after it.
std::int64_t last_simulated_beat(std::string_view scene, const Crafted& one) {
  const std::vector<Beat> beats = find_scene(scene)->beats(one.trace, one.walk);
  std::size_t last = beats.size();
  // The beat with the followed number has tests of its own (followed_number_test.cpp).
  while (last > 1 && (!beats[last - 1].history || beats[last - 1].key == "answer")) --last;
  return static_cast<std::int64_t>(last);
}

/// The SM of the first block, which the scenes follow.
std::uint16_t followed_sm(const Crafted& one) { return static_cast<std::uint16_t>(one.travel->timing().sm[0]); }

Stage simulated_stage(std::string_view scene, const Crafted& one, Moment moment, const HistoryView& view,
                      const Narration& narration = english(), const Controls& controls = {}) {
  return stage_of(*find_scene(scene),
                  {one.trace, one.walk, narration, hardware(), moment, controls, Naming::both, {}, view});
}

// The last beat, at rest.
Stage last_of(std::string_view scene, const Crafted& one, const Controls& controls = {}) {
  return simulated_stage(scene, one, {Moment::Kind::beat, last_simulated_beat(scene, one), 1}, one.view(), english(),
                         controls);
}

std::string section(std::string_view scene, const Crafted& one, const HistoryView& view) {
  static const Narration words = marked();
  const std::string title =
      simulated_stage(scene, one, {Moment::Kind::beat, last_simulated_beat(scene, one), 1}, view, words).title;
  return title.substr(1, title.find('/') - 1);
}

template <class Picture>
std::vector<const Picture*> pictures_of(const Stage& stage) {
  std::vector<const Picture*> found;
  const auto* const panels = std::get_if<std::shared_ptr<const Panels>>(&stage.picture);
  if (panels == nullptr) return found;
  for (const PanelRow& row : (*panels)->rows)
    for (const Panel& panel : row.panels)
      if (const auto* const picture = std::get_if<Picture>(&panel.picture)) found.push_back(picture);
  return found;
}

std::size_t blocks_in(const RasterPicture& raster) {
  std::size_t blocks = 0;
  for (const RasterGroup& group : raster.groups)
    for (const RasterRow& row : group.rows) blocks += row.spans.size();
  return blocks;
}

TEST(SimulatedScenes, SayWhatTheLaunchIs) {
  const auto expect = [](std::string_view name, const std::vector<std::string>& sections) {
    const Crafted& one = any_crafted(name);
    for (std::size_t i = 0; i < std::size(scene_names); ++i)
      EXPECT_EQ(section(scene_names[i], one, one.view()), sections[i]) << name;
  };
  expect("inner: machine code", {"sm.residents.once", "launch.blocks.one", "map.gpu.beside"});
  expect("inner: arithmetic", {"sm.residents.small", "launch.blocks.even", "map.gpu"});
  expect("inner: more blocks than fit", {"sm.residents", "launch.blocks", "map.gpu"});
  expect("inner: the beginning of many blocks", {"sm.residents.cut", "launch.blocks.cut", "map.gpu.cut"});
}

TEST(SimulatedScenes, WithoutCyclesTheySayWhy) {
  const Crafted& one = any_crafted("inner: machine code");
  using State = HistoryView::State;
  const auto expect = [&](const HistoryView& view, std::string_view why) {
    EXPECT_EQ(section("sm", one, view), fmt::format("sm.residents.{}", why));
    EXPECT_EQ(section("launch", one, view), fmt::format("launch.blocks.{}", why));
    EXPECT_EQ(section("map", one, view), fmt::format("map.gpu.{}", why));
  };
  HistoryView view;
  expect(view, "none");
  view.state = State::building;
  expect(view, "building");
  view.state = State::impossible;
  view.reason = "a reason";
  expect(view, "impossible");
  view = one.view();
  view.travel = nullptr;
  view.timing = nullptr;
  expect(view, "timing");
  view.no_travel = "a reason";
  expect(view, "impossible");
}

TEST(SimulatedScenes, TheirOtherBeatsAreTheSameWithAndWithoutCycles) {
  for (const Crafted& one : crafted_inner())
    for (const std::string_view scene : scene_names) {
      const std::vector<Beat> beats = find_scene(scene)->beats(one.trace, one.walk);
      ASSERT_TRUE(beats[static_cast<std::size_t>(last_simulated_beat(scene, one)) - 1].history);
      for (std::size_t b = 0; b < beats.size(); ++b) {
        if (beats[b].history) continue;
        const Moment moment = {Moment::Kind::beat, static_cast<std::int64_t>(b) + 1, 1};
        HistoryView with = one.view();
        // The last beat of the receipt says that nothing was simulated.
        if (beats[b].key == "total") with.timing = nullptr;
        EXPECT_EQ(everything_on(simulated_stage(scene, one, moment, with)),
                  everything_on(simulated_stage(scene, one, moment, {})))
            << one.name << ", " << scene << " " << beats[b].key;
      }
    }
}

TEST(SimulatedScenes, EveryPhaseAndCycleIsAFunctionOfTheInput) {
  for (const Crafted& one : crafted_inner())
    for (const std::string_view scene : scene_names)
      for (const double phase : {0.0, 0.3, 1.0}) {
        const Moment moment = {Moment::Kind::beat, last_simulated_beat(scene, one), phase};
        EXPECT_EQ(everything_on(simulated_stage(scene, one, moment, one.view())),
                  everything_on(simulated_stage(scene, one, moment, one.view())));
      }
}

TEST(SimulatedScenes, TheWarpSlotsAreThoseOfTheMoment) {
  const Crafted& one = any_crafted("inner: machine code");
  for (const std::int64_t cycle : {std::int64_t{0}, std::int64_t{300}, std::int64_t{900}, std::int64_t{1500}}) {
    const Stage stage = simulated_stage("sm", one, {Moment::Kind::cycle, cycle, 1}, one.view());
    ASSERT_TRUE(stage.cycle);
    EXPECT_EQ(stage.cycle->at, cycle);
    const std::vector<const CellGrid*> grids = pictures_of<CellGrid>(stage);
    ASSERT_EQ(grids.size(), 1u);
    ASSERT_EQ(grids[0]->cells.size(), 64u);
    const auto moment = one.travel->at(followed_sm(one), cycle);
    std::size_t taken = 0;
    for (const Cell& cell : grids[0]->cells) taken += cell.tone != Tone::quiet;
    EXPECT_EQ(taken, moment->state.warps.size());
    std::set<std::uint64_t> blocks;
    for (const gpu::WarpState& warp : moment->state.warps) {
      blocks.insert(warp.place.block);
      const Cell& cell = grids[0]->cells[warp.place.slot % 4 * 16u + warp.place.slot / 4u];
      EXPECT_EQ(cell.label, std::to_string(warp.place.block));
      EXPECT_EQ(cell.tone == Tone::plain, warp.exited);
    }
    // A block is resident from its start on, and its warps take their slots one after the other.
    EXPECT_LE(blocks.size(), static_cast<std::size_t>(fact_figure(stage, "Blocks resident in this cycle").value()));
  }
}

TEST(SimulatedScenes, TheBlocksOfOneSmAreBesideTheMeasuredOnes) {
  const Crafted& one = any_crafted("inner: machine code");
  const BlockTimes simulated = simulated_blocks(*one.travel);
  const BlockTimes measured = *measured_blocks(one.trace, one.walk);
  std::size_t all = 0, all_measured = 0;
  for (const std::uint16_t sm : one.travel->busy_sms()) {
    Controls controls;
    controls.set("sm.sm", sm);
    const Stage stage = last_of("sm", one, controls);
    const std::vector<const RasterPicture*> rasters = pictures_of<RasterPicture>(stage);
    ASSERT_EQ(rasters.size(), 2u);
    EXPECT_EQ(blocks_in(*rasters[0]), simulated.on(sm).size());
    EXPECT_EQ(blocks_in(*rasters[1]), measured.on(sm).size());
    all += blocks_in(*rasters[0]);
    all_measured += blocks_in(*rasters[1]);
    const std::vector<const TablePicture*> tables = pictures_of<TablePicture>(stage);
    ASSERT_EQ(tables.size(), 1u);
    const std::vector<TableCell>& at_once = tables[0]->rows[0].cells;
    ASSERT_EQ(at_once.size(), 4u);
    EXPECT_EQ(at_once[1].figure->value(), 8);
    EXPECT_EQ(at_once[1].figure->origin(), Origin::derived);
    EXPECT_EQ(at_once[2].figure->value(), static_cast<double>(most_at_once(simulated.on(sm))));
    EXPECT_EQ(at_once[2].figure->origin(), Origin::simulated);
    EXPECT_EQ(at_once[3].figure->value(), static_cast<double>(most_at_once(measured.on(sm))));
    EXPECT_EQ(at_once[3].figure->origin(), Origin::measured);
  }
  EXPECT_EQ(all, 1024u);
  EXPECT_EQ(all_measured, 1024u);
}

TEST(SimulatedScenes, TheFactsAreThoseOfTheTimingModel) {
  const Crafted& one = any_crafted("inner: machine code");
  const gpu::LaunchTiming& timing = one.travel->timing();
  const Figure achieved = fact_figure(last_of("sm", one), "Occupancy achieved, SMs with a block");
  EXPECT_DOUBLE_EQ(achieved.value(), timing.achieved_occupancy);
  EXPECT_EQ(achieved.origin(), Origin::simulated);
  for (const std::string_view scene : scene_names) {
    const Stage stage = last_of(scene, one);
    const double clock = *one.travel->device().sm_clock;
    const Figure& simulated = fact_figure(stage, "with the cost of the launch");
    EXPECT_NEAR(simulated.value(), 1e9 * timing.cycles / clock, 1e-6);
    // The first block starts in cycle 0: the rest of the cycles is the launch's cost, 3,100 of them on an H200.
    const Figure& alone = fact_figure(stage, "Duration, simulated: the kernel alone");
    EXPECT_NEAR(simulated.value() - alone.value(), 1e9 * 3100 / clock, 1e-6);
    const Figure& measured = fact_figure(stage, "Duration, measured by CUPTI");
    EXPECT_EQ(measured.value(), static_cast<double>(one.trace.slices.duration[one.walk.kernel]));
    EXPECT_EQ(measured.origin(), Origin::measured);
    const Figure& error = fact_figure(stage, "Simulated against measured");
    EXPECT_EQ(error.origin(), Origin::derived);
    // Between the blocks' time and that of the launch: an empty kernel takes 560 ns, its block 95 of them.
    const Figure& as_cupti = fact_figure(stage, "as CUPTI measures it");
    EXPECT_NEAR(as_cupti.value(), 1e9 * timing.cycles_blocks / clock + 465, 1e-6);
    EXPECT_EQ(error.text(), fmt::format("{:+.1f} %", 100 * (as_cupti.value() / measured.value() - 1)));
  }
  const Stage map = last_of("map", one);
  EXPECT_EQ(fact_figure(map, "Cycles simulated").value(), timing.cycles);
  double slots = 0;
  for (const std::string_view label :
       {"Issue slots used, SMs with a block", "Issue slots lost: all warps wait", "Issue slots lost: no warp"})
    slots += fact_figure(map, label).value();
  EXPECT_NEAR(slots, 100, 1e-9);
}

// The row of a table with this text in its first cell.
const TableRow& row_starting(const Stage& stage, std::string_view name) {
  static const TableRow none;
  for (const TablePicture* const table : pictures_of<TablePicture>(stage))
    for (const TableRow& row : table->rows)
      if (row.cells.front().text == name) return row;
  ADD_FAILURE() << "no row is named " << name;
  return none;
}

// CUPTI's time contains a part of the launch's cost: it stands neither beside the kernel alone nor beside the whole,
// but beside the simulated time with the same part.
TEST(SimulatedScenes, TheTablesKeepCuptisTimeApart) {
  const Crafted& one = any_crafted("inner: machine code");
  const double cycles = one.travel->timing().cycles, clock = *one.travel->device().sm_clock;
  const double as_cupti = 1e9 * one.travel->timing().cycles_blocks / clock + 465;
  const auto measured = static_cast<double>(one.trace.slices.duration[one.walk.kernel]);
  const auto expect = [&](const TableRow& row, std::optional<double> simulated, std::optional<double> real) {
    ASSERT_GE(row.cells.size(), 4u);
    const TableCell& real_cell = row.cells.back();
    const TableCell& simulated_cell = row.cells[row.cells.size() - 2];
    ASSERT_EQ(simulated_cell.figure.has_value(), simulated.has_value());
    ASSERT_EQ(real_cell.figure.has_value(), real.has_value());
    if (simulated) {
      EXPECT_NEAR(simulated_cell.figure->value(), *simulated, 1);  // whole cycles
      EXPECT_EQ(simulated_cell.figure->origin(), Origin::simulated);
    }
    if (real) {
      EXPECT_EQ(real_cell.figure->value(), *real);
      EXPECT_EQ(real_cell.figure->origin(), Origin::measured);
    }
  };
  const Stage launch = last_of("launch", one);
  expect(row_starting(launch, "with the launch's cost"), 1e9 * cycles / clock, {});
  expect(row_starting(launch, "duration by CUPTI"), as_cupti, measured);
  const Stage sm = last_of("sm", one);
  expect(row_starting(sm, "Duration: the kernel alone"), 1e9 * (cycles - 3100) / clock, {});
  expect(row_starting(sm, "with the launch's cost"), 1e9 * cycles / clock, {});
  expect(row_starting(sm, "by CUPTI, with a part of that cost"), as_cupti, measured);
  EXPECT_EQ(last_of("map", one).title, time_text(measured) + " measured, " + time_text(as_cupti) + " simulated");
}

TEST(SimulatedScenes, TheMilestonesAreInOrderAndCanBeGoneTo) {
  const Crafted& one = any_crafted("inner: more blocks than fit");
  const Stage stage = last_of("launch", one);
  const std::vector<const TablePicture*> tables = pictures_of<TablePicture>(stage);
  ASSERT_EQ(tables.size(), 1u);
  std::vector<std::int64_t> cycles;
  for (const TableRow& row : tables[0]->rows)
    if (row.cycle) cycles.push_back(*row.cycle);
  ASSERT_GE(cycles.size(), 5u);
  EXPECT_TRUE(std::ranges::is_sorted(cycles));
  EXPECT_EQ(fact_figure(stage, "In a slot that no block had before").value(), 264);
  EXPECT_EQ(fact_figure(stage, "In a slot that became free").value(), 136);
  // No figure of a GPU stands beside a stand-in.
  for (const std::string_view scene : scene_names)
    EXPECT_THAT(transcript(last_of(scene, one)), ::testing::Not(::testing::HasSubstr("[measured]"))) << scene;
}

TEST(SimulatedScenes, ACutLaunchSaysSo) {
  const Crafted& one = any_crafted("inner: the beginning of many blocks");
  ASSERT_TRUE(one.travel->timing().cut);
  for (const std::string_view scene : scene_names) {
    const Stage stage = last_of(scene, one);
    const std::string words = transcript(stage);
    EXPECT_EQ(fact_figure(stage, "Only the beginning is simulated").text(),
              fmt::format("the first {} warp instructions",
                          with_thousands(static_cast<std::int64_t>(one.travel->timing().warp_instructions))));
    EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr("Duration, simulated")));
    EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr("last block ends")));
  }
}

// Warps that have not ended take slots and issue, too.
TEST(SimulatedScenes, TheSharesOfACutLaunchAreThoseOfItsFirstCycles) {
  const Crafted& one = any_crafted("inner: coalesced");  // one block, which does not end
  ASSERT_TRUE(one.travel->timing().cut);
  const Stage map = last_of("map", one);
  const double used = fact_figure(map, "Issue slots used, SMs with a block").value(),
               taken = fact_figure(map, "Occupancy achieved, SMs with a block").value();
  const auto window = one.travel->window(one.travel->busy_sms().front(), 0, 1 << 20);
  const auto cycles = static_cast<double>(window->to - window->from);
  EXPECT_NEAR(used, 100 * static_cast<double>(window->issues.size()) / (4 * cycles), 0.05 * used);
  EXPECT_GT(taken, 20);
  EXPECT_LE(taken, 25);  // 16 of 64 slots, and none before the block's warps start
  EXPECT_THAT(transcript(map), ::testing::Not(::testing::HasSubstr("Issue slots lost")));
}

TEST(SimulatedScenes, AnEstimatedScheduleAndAStandInAreNamed) {
  for (const std::string_view scene : scene_names) {
    const Stage estimated = last_of(scene, any_crafted("inner: arithmetic"));
    EXPECT_EQ(fact_figure(estimated, "Schedule").text(), "estimated from the PTX; there is no machine code");
    fact_figure(estimated, "Stand-in");
    EXPECT_THAT(transcript(last_of(scene, any_crafted("inner: machine code"))),
                ::testing::Not(::testing::HasSubstr("  Schedule: ")));
  }
}

TEST(SimulatedScenes, AStopIsTheNextStartOrEndOfABlock) {
  const Crafted& one = any_crafted("inner: machine code");
  for (const std::string_view scene : {"sm", "launch"}) {
    std::set<std::int64_t> changes;
    for (const BlockTime& block : simulated_blocks(*one.travel).blocks)
      if (scene == "launch" || block.sm == followed_sm(one)) changes.insert({block.start, block.end});
    SceneInput input{one.trace, one.walk, english(), hardware(), {Moment::Kind::cycle, 700, 1}};
    input.history = one.view();
    for (int step = 0; step < 5; ++step) {
      const auto next = next_stop(*find_scene(scene), input, true);
      ASSERT_TRUE(next);
      EXPECT_EQ(*next, *changes.upper_bound(input.moment.value));
      input.moment.value = *next;
      const auto back = next_stop(*find_scene(scene), input, false);
      ASSERT_TRUE(back);
      EXPECT_EQ(*back, *std::prev(changes.lower_bound(*next)));
    }
    input.moment.value = *changes.rbegin();
    EXPECT_FALSE(next_stop(*find_scene(scene), input, true));
    input.moment.value = 0;
    EXPECT_FALSE(next_stop(*find_scene(scene), input, false));
    input.moment = {Moment::Kind::beat, 1, 1};
    EXPECT_FALSE(next_stop(*find_scene(scene), input, true));
  }
}

TEST(SimulatedScenes, AClickOnAnSmFollowsItInEveryScene) {
  const Crafted& one = any_crafted("inner: machine code");
  for (const std::string_view scene : {"launch", "map"}) {
    const Stage clicked = last_of(scene, one);
    const std::vector<const HeatPicture*> all = pictures_of<HeatPicture>(clicked);
    ASSERT_EQ(all.size(), 1u);
    Controls controls;
    for (const std::string& control : all[0]->controls) controls.set(control, 77);
    for (const std::string_view shown : {"sm", "launch", "map", "schedulers", "lanes"}) {
      const Stage stage = last_of(shown, one, controls);
      const auto sm = std::ranges::find(stage.controls, "sm", &Control::name);
      ASSERT_NE(sm, stage.controls.end()) << shown;
      EXPECT_EQ(sm->value, 77) << shown;
      EXPECT_TRUE(sm->set) << shown;
    }
  }
}

}  // namespace
}  // namespace warpwalk::story::testing

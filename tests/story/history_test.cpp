// The stage's texts about a kernel that the simulated GPU runs again, and about a stand-in.
#include <algorithm>
#include <map>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/map/picture.h"
#include "core/story/scenes/translator/picture.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

// The beat about the simulated counters of the map, the last one of another scene.
Stage counters_beat(std::string_view scene, const Crafted& one, const HistoryView* view = nullptr) {
  const Scene& found = *find_scene(scene);
  const std::vector<Beat> all = found.beats(one.trace, one.walk);
  const auto simulated = std::ranges::find(all, "simulated", &Beat::key);
  const std::int64_t beat = simulated == all.end() ? std::ssize(all) : simulated - all.begin() + 1;
  return stage_of(found, {one.trace,
                          one.walk,
                          english(),
                          hardware(),
                          {Moment::Kind::beat, beat, 1},
                          {},
                          Naming::both,
                          {},
                          view == nullptr ? one.view() : *view});
}

bool lacks(const Stage& stage, std::string_view words) {
  return std::any_of(stage.missing.begin(), stage.missing.end(),
                     [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

TEST(StoryHistory, MeasuredAndSimulatedStandSideBySideWithTheError) {
  const Stage stage = counters_beat("map", crafted_named("history: the kernel itself, beside what was measured"));
  const auto& picture = *std::get<std::shared_ptr<const ReceiptPicture>>(stage.picture);
  EXPECT_TRUE(picture.counted.empty());
  EXPECT_TRUE(picture.banner.empty());
  std::map<std::string, std::string> errors;
  for (const ComparedLine& line : picture.compared) {
    EXPECT_EQ(line.measured.origin(), Origin::measured);
    EXPECT_EQ(line.simulated.origin(), Origin::simulated);
    errors[line.key] = line.error ? line.error->text() : "none";
    if (line.error) {
      EXPECT_EQ(line.error->origin(), Origin::derived);
      EXPECT_EQ(line.error->formula(), "(simulated − measured) / measured");
    }
  }
  const std::map<std::string, std::string> wanted = {
      {"ptx_warp_instructions", "0 %"},   {"warp_instructions", "0 %"},     {"thread_instructions", "−4.00 %"},
      {"global_load_sectors", "−0.25 %"}, {"global_store_sectors", "none"},  // of 0 measured, 40 simulated
      {"shared_bank_conflicts", "0 %"}};
  EXPECT_EQ(errors, wanted);
}

TEST(StoryHistory, OfWhatARecordingSaysOfMachineCodeAFewLinesAreShown) {
  std::vector<Crafted> all = crafted_history();
  Crafted& one = *std::ranges::find(all, "history: machine code left out", &Crafted::name);
  EXPECT_TRUE(lacks(counters_beat("translator", one), "Machine code, as the recording says: too much of it."));
  std::string json = R"({"left_out": [1, null)";
  for (int i = 0; i < 1000; ++i) json += R"(, ")" + std::string(5000, 'x') + '"';
  one.trace.metadata = {{one.trace.strings.intern("warpwalk_code"), one.trace.strings.intern(json + "]}")}};
  const Stage stage = counters_beat("translator", one);
  std::size_t bytes = 0;
  for (const std::string& text : stage.missing) bytes += text.size();
  EXPECT_LT(stage.missing.size(), 20u);
  EXPECT_LT(bytes, 5000u);
}

TEST(StoryHistory, AStandInsCountsStandAloneUnderItsBanner) {
  const Stage stage = counters_beat("map", crafted_named("history: a stand-in"));
  const auto& picture = *std::get<std::shared_ptr<const ReceiptPicture>>(stage.picture);
  EXPECT_EQ(picture.banner, "STAND-IN, SIMULATED on NVIDIA H200: matmul_tiled for aten::mm, 64x64 by 64x64");
  for (const ReceiptLine& line : picture.lines) EXPECT_EQ(line.shown, 0) << line.key;  // those are measured
  EXPECT_TRUE(picture.compared.empty());
  EXPECT_EQ(picture.total_shown, 0);
  EXPECT_GE(picture.counted.size(), 6u);
  for (const CountedLine& line : picture.counted) EXPECT_EQ(line.count.origin(), Origin::simulated);
  for (const Fact& fact : stage.facts) EXPECT_NE(fact.figure.origin(), Origin::measured) << fact.label;
}

TEST(StoryHistory, TheTranslatorShowsAStandInsCodeOnlyWhereTheTraceHasNone) {
  const auto code = [](const Stage& stage) {
    return *std::get<std::shared_ptr<const TranslatorPicture>>(stage.picture)->code;
  };
  const CodePicture stand_in = code(counters_beat("translator", crafted_named("history: a stand-in")));
  EXPECT_EQ(stand_in.banner, "STAND-IN, SIMULATED on NVIDIA H200: matmul_tiled for aten::mm, 64x64 by 64x64");
  // The stand-in's source is not available, so the first column shows code instead.
  EXPECT_FALSE(stand_in.columns.front().window.lines.empty());
  const CodePicture own = code(counters_beat("translator", crafted_named("history: the kernel itself, never counted")));
  EXPECT_EQ(own.banner, "");
  const HistoryView other = crafted_named("history: a stand-in").view();
  EXPECT_EQ(
      code(counters_beat("translator", crafted_named("history: the kernel itself, never counted"), &other)).banner, "");
  for (const char* none : {"history: under way", "history: impossible"})
    EXPECT_TRUE(code(counters_beat("translator", crafted_named(none))).columns[1].window.lines.empty());
}

TEST(StoryHistory, WhyThereIsNoneIsSaidAndProgressToo) {
  const Crafted& impossible = crafted_named("history: impossible");
  EXPECT_TRUE(lacks(counters_beat("map", impossible), "not possible, because a reason."));
  EXPECT_TRUE(lacks(counters_beat("translator", impossible), "not possible, because a reason."));
  const Crafted& unknown = crafted_named("history: the arguments were not recorded");
  EXPECT_TRUE(lacks(counters_beat("map", unknown), "but not the arguments of its launch"));
  const Crafted& under_way = crafted_named("history: under way");
  EXPECT_THAT(counters_beat("map", under_way).title, ::testing::HasSubstr("40 %"));
  EXPECT_THAT(counters_beat("translator", under_way).sentence, ::testing::HasSubstr("40 %"));
}

TEST(StoryHistory, WhyARecordingHasNoMachineCodeIsSaid) {
  EXPECT_TRUE(lacks(counters_beat("translator", crafted_named("history: machine code left out")), "too much of it."));
}

TEST(StoryHistory, AResultThatDiffersIsAnnouncedInBothScenes) {
  const Crafted& own = crafted_named("history: the kernel itself, never counted");
  for (const char* scene : {"map", "translator"}) {
    const Stage stage = counters_beat(scene, own);
    const auto summary = std::find_if(stage.facts.begin(), stage.facts.end(), [](const Fact& fact) {
      return fact.figure.text() == "simulated again, it leaves something else";
    });
    ASSERT_NE(summary, stage.facts.end()) << scene;
    EXPECT_EQ(summary->figure.origin(), Origin::simulated);
  }
}

// Only the beats that say so change with it.
TEST(StoryHistory, OtherBeatsDoNotChangeWithIt) {
  const Crafted& one = crafted_named("history: a stand-in");
  std::vector<std::string> with, without;
  const auto collect = [&one](std::vector<std::string>& into) {
    return [&into, &one](const Scene& scene, const Stage& stage) {
      if (!uses_history(scene, one.trace, one.walk, {Moment::Kind::beat, stage.beat, 1}))
        into.push_back(everything_on(stage));
    };
  };
  for_each_beat(one.trace, one.walk, english(), collect(with), {}, one.view());
  for_each_beat(one.trace, one.walk, english(), collect(without));
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t i = 0; i < with.size(); ++i) EXPECT_EQ(with[i], without[i]);
  EXPECT_GT(with.size(), 10u);
}

}  // namespace
}  // namespace warpwalk::story::testing

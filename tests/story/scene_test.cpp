#include "core/story/stage/scene.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/base/result.h"
#include "core/records/hardware.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/labs/labs.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/map/picture.h"
#include "core/story/scenes/scenes.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

base::Result<Stage> stage_or_error(std::string_view scene, const Crafted& one, const Moment& moment) {
  return stage_at(*find_scene(scene), {one.trace, one.walk, english(), hardware(), moment});
}

TEST(Scenes, AreListedOnceInTheOrderOfTheStoryboard) {
  int last = 0;
  for (const Scene& scene : scenes()) {
    EXPECT_GT(scene.number, last);
    last = scene.number;
    EXPECT_EQ(find_scene(scene.name), &scene);
  }
  EXPECT_EQ(find_scene("boardroom")->number, 1);
  EXPECT_EQ(find_scene("map")->number, 8);
  EXPECT_EQ(find_scene("nowhere"), nullptr);
  EXPECT_EQ(find_scene(""), nullptr);
}

TEST(Beats, AreNamedByTheirKeys) {
  const auto check = [](const Trace& trace, const Walk& walk) {
    for (const std::vector<Scene>* list : {&scenes(), &labs()})
      for (const Scene& scene : *list) {
        const std::vector<Beat> beats = scene.beats(trace, walk);
        ASSERT_FALSE(beats.empty()) << scene.name;
        const std::vector<std::string_view> keys = scene.contents.keys();
        for (std::size_t i = 0; i < beats.size(); ++i) {
          EXPECT_THAT(keys, ::testing::Contains(beats[i].key)) << scene.name;
          const auto parsed = parse_moment(beats[i].key);
          ASSERT_TRUE(parsed) << scene.name << ": " << parsed.error();
          const auto moment = resolved_moment(scene, trace, walk, *parsed);
          ASSERT_TRUE(moment) << moment.error();
          EXPECT_EQ(moment->value, static_cast<std::int64_t>(i) + 1) << scene.name << " " << beats[i].key;
        }
      }
  };
  for (const Crafted& one : crafted()) check(one.trace, one.walk);
  for (const std::string_view name : sample_names) check(sample(name), default_walk(sample(name)));
}

TEST(Beats, AKeyGivesTheStageOfItsNumber) {
  const Crafted& one = crafted_named("nested ops");
  const Stage numbered = *stage_or_error("boardroom", one, {Moment::Kind::beat, 5, 1});
  const Stage named = *stage_or_error("boardroom", one, {Moment::Kind::named, 1, 1, "launch"});
  EXPECT_EQ(numbered.key, "launch");
  EXPECT_EQ(transcript(named), transcript(numbered));
}

TEST(Beats, AnUnknownKeyIsAnErrorThatNamesThoseThereAre) {
  const Crafted& one = crafted_named("the CPU waits");
  const std::string error = stage_or_error("boardroom", one, {Moment::Kind::named, 1, 1, "lunch"}).error();
  EXPECT_THAT(error, ::testing::StartsWith("lunch: the scene boardroom has no such beat here; it has "));
  EXPECT_THAT(error, ::testing::HasSubstr("launch, return"));
  const Scene& scene = *find_scene("boardroom");
  EXPECT_THAT(unknown_beat(scene, {Moment::Kind::named, 1, 1, "lunch"}).value_or(""),
              ::testing::HasSubstr("unlaunched"));  // of another walk
  EXPECT_FALSE(unknown_beat(scene, {Moment::Kind::named, 1, 1, "unlaunched"}));
  EXPECT_FALSE(unknown_beat(scene, {Moment::Kind::beat, 99, 1}));
}

TEST(Scenes, ABeatThatIsNotThereSaysWhichAre) {
  const Crafted& one = crafted_named("the CPU waits");
  EXPECT_EQ(stage_or_error("boardroom", one, {Moment::Kind::beat, 7, 1}).error(),
            "b7: the scene boardroom has the beats b1 to b6");
  EXPECT_EQ(stage_or_error("map", one, {Moment::Kind::beat, std::numeric_limits<std::int64_t>::max(), 1}).error(),
            "b9223372036854775807: the scene map has the beats b1 to b9");
  EXPECT_EQ(stage_or_error("map", one, {Moment::Kind::cycle, 15, 1}).error(),
            "c15: the scene map shows no kernel cycles; give a beat (b1 to b9) or a time");
}

TEST(SceneTime, ATimeShowsTheBeatThatStandsThere) {
  const Crafted& one = crafted_named("nested ops");  // begins 5 us before its op
  const std::pair<double, int> cases[] = {{-100, 1}, {0, 1},  {5, 3},  {8.9, 3}, {9, 4},   {14.9, 4},
                                          {15, 5},   {19, 5}, {20, 6}, {124, 6}, {125, 7}, {9000, 7}};
  for (const auto& [us, beat] : cases) {
    const auto ns = static_cast<std::int64_t>(us * 1000);
    const auto stage = stage_or_error("boardroom", one, {Moment::Kind::time, ns, 1});
    ASSERT_TRUE(stage) << stage.error();
    EXPECT_EQ(stage->beat, beat) << us << " us";
    EXPECT_EQ(stage->now, ns);
    EXPECT_EQ(stage->phase, 1);
  }
}

TEST(SceneTime, TheMapGoesThroughTheReceipt) {
  const Crafted& one = crafted_named("nested ops");
  const std::pair<double, int> cases[] = {{5, 2},    {14.9, 2}, {15, 3},    {19.9, 3}, {20, 4},
                                          {24.9, 4}, {25, 5},   {124.9, 5}, {125, 6}};
  for (const auto& [us, beat] : cases) {
    const auto stage = stage_or_error("map", one, {Moment::Kind::time, static_cast<std::int64_t>(us * 1000), 1});
    ASSERT_TRUE(stage) << stage.error();
    EXPECT_EQ(stage->beat, beat) << us << " us";
  }
}

TEST(SceneTime, NeverRunsBackwards) {
  // Else a beat could not be reached by its time, and going on in time would go back in the story.
  const auto check = [](const std::string& what, const Trace& trace, const Walk& walk) {
    for (const Scene& scene : scenes()) {
      const std::vector<Beat> beats = scene.beats(trace, walk);
      for (std::size_t b = 1; b < beats.size(); ++b)
        EXPECT_LE(beats[b - 1].anchor, beats[b].anchor) << what << ", " << scene.name << ": " << beats[b].key;
    }
  };
  for (const Crafted& one : crafted()) check(one.name, one.trace, one.walk);
  for (const std::string_view name : sample_names)
    for_each_walk(sample(name), [&](const std::string& what, const Walk& walk) {
      check(fmt::format("{} {}", name, what), sample(name), walk);
    });
}

TEST(SceneFacts, OfTheLaunchAreTheRecords) {
  const std::string words =
      transcript(*stage_or_error("boardroom", crafted_named("nested ops"), {Moment::Kind::beat, 5, 1}));
  for (const std::string_view line :
       {"cudaLaunchKernel: 5.0 µs [measured]", "Grid: 66 × 2 blocks [measured]", "Block: 100 threads [measured]",
        "From the call to the GPU's start: 10.0 µs [derived: start on the GPU − start of the launch call]"})
    EXPECT_THAT(words, ::testing::HasSubstr(line));
}

TEST(SceneFacts, OfTheMapAreTheRecordsAndTheirDerivations) {
  SmallTrace small;
  small.h200().op("aten::relu", 0, 60).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 60, 1);
  small.allocation(5, 1000).allocation(6, 500).allocation(7, -700).allocation(8, 9999, 0).allocation(90, 4000);
  const Trace trace = small.read();
  const Walk walk = default_walk(trace);
  const Stage fold = stage_at_beat(*find_scene("map"), trace, walk, 1);
  const auto& stations = shared_picture<ReceiptPicture>(fold).stations;
  ASSERT_EQ(stations.size(), 7u);
  EXPECT_EQ(stations[0].value, "aten::relu");
  EXPECT_EQ(stations[1].value, "k");
  EXPECT_EQ(stations[2].value, "1.5 KiB allocated");  // what the GPU gave out while the op ran; frees do not count
  EXPECT_EQ(stations[3].value, "grid 66 × 2");
  EXPECT_EQ(stations[4].value, "132 blocks for 132 SMs");
  EXPECT_EQ(stations[5].value, "4 warps per block");  // 100 threads: the last warp is not full
  EXPECT_EQ(stations[6].value, "40 registers each");
  for (const std::size_t derived : {2u, 4u, 5u}) {
    EXPECT_EQ(stations[derived].origin, Origin::derived);
    EXPECT_FALSE(stations[derived].formula.empty());
  }
  for (const std::size_t measured : {0u, 1u, 3u, 6u}) EXPECT_EQ(stations[measured].origin, Origin::measured);
}

TEST(SceneFacts, TheReceiptsLinesAddUpToItsTotal) {
  for (const Crafted& one : crafted()) {
    const std::vector<Beat> beats = find_scene("map")->beats(one.trace, one.walk);
    const auto total = std::find_if(beats.begin(), beats.end(), [](const Beat& beat) { return beat.key == "total"; });
    if (total == beats.end()) continue;
    const Stage stage = *stage_or_error("map", one, {Moment::Kind::beat, total - beats.begin() + 1, 1});
    const auto& picture = *std::get<std::shared_ptr<const ReceiptPicture>>(stage.picture);
    if (!picture.lines.front().share) continue;  // the clocks differ
    double sum = 0, shares = 0;
    for (const ReceiptLine& line : picture.lines) {
      EXPECT_EQ(line.shown, 1) << one.name;
      // A graph's launch is charged in part: the rest of its bar is hatched.
      const std::int64_t others = line.key == "launch" && !line.hatched_parts.empty()
                                      ? line.hatched_parts.front().second - line.hatched_parts.front().first
                                      : 0;
      EXPECT_EQ(line.end - line.start - others, static_cast<std::int64_t>(line.time->value())) << one.name;
      sum += line.time->value();
      shares += line.share->value();
    }
    EXPECT_EQ(sum, picture.total->value()) << one.name;
    EXPECT_NEAR(shares, 100, 1e-9) << one.name;
    for (std::size_t i = 1; i < picture.lines.size(); ++i)
      EXPECT_EQ(picture.lines[i - 1].end, picture.lines[i].start) << one.name;
  }
}

TEST(SceneFacts, TheTotalComesLast) {
  const Crafted& one = crafted_named("nested ops");
  for (std::int64_t beat = 1; beat <= 6; ++beat) {
    const Stage stage = *stage_or_error("map", one, {Moment::Kind::beat, beat, 1});
    EXPECT_EQ(std::get<std::shared_ptr<const ReceiptPicture>>(stage.picture)->total_shown, beat == 6 ? 1 : 0) << beat;
    EXPECT_EQ(transcript(stage).find("  total: ") != std::string::npos, beat == 6) << beat;
  }
}

TEST(SceneShapes, AreReadFromTheRecordsText) {
  EXPECT_EQ(shapes_text("[[1024, 1024], [1024, 512]]"), "1024 × 1024, 1024 × 512");
  EXPECT_EQ(shapes_text("[[4194304], [], []]"), "4194304");
  EXPECT_EQ(shapes_text("[[[2, 3], [4]], []]"), "2 × 3, 4");
  EXPECT_EQ(shapes_text("[]"), "");
  EXPECT_EQ(shapes_text(""), "");
}

TEST(SceneRoute, MarksOneStopAndHoldsTheTracesNames) {
  const Crafted& one = crafted_named("nested ops");
  const std::vector<Stop> route = route_of({one.trace, one.walk, english(), hardware(), {}}, "stream");
  const std::vector<std::string> values = {"aten::relu", "aten::inner", "cudaLaunchKernel", "",
                                           "stream 7",   "grid 66 × 2", "132 SMs",          "",
                                           "",           "40 registers"};
  ASSERT_EQ(route.size(), values.size());
  for (std::size_t i = 0; i < route.size(); ++i) {
    EXPECT_EQ(route[i].value, values[i]);
    EXPECT_EQ(route[i].here, route[i].name == "stream");
  }
}

}  // namespace
}  // namespace warpwalk::story::testing

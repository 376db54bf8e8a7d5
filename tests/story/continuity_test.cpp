// From beat to beat nothing jumps, and a stage depends on nothing but what it is given.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/scene_list.h"
#include "core/story/scenes/map/picture.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

const ReceiptPicture* receipt_of(const Stage& stage) {
  const auto* receipt = std::get_if<std::shared_ptr<const ReceiptPicture>>(&stage.picture);
  return receipt == nullptr ? nullptr : receipt->get();
}

// Beats drawn over an axis of time are looked at here; the others have tests of their own motion.
bool over_time(const Stage& stage) {
  return std::holds_alternative<TimelinePicture>(stage.picture) || receipt_of(stage) != nullptr;
}

void for_each_boundary(
    const std::function<void(const std::string& where, const Stage& before, const Stage& after)>& visit) {
  const auto check = [&](const std::string& what, const Trace& trace, const Walk& walk) {
    for (const Scene& scene : scenes()) {
      const auto beats = static_cast<std::int64_t>(scene.beats(trace, walk).size());
      for (std::int64_t beat = 1; beat < beats; ++beat) {
        const Stage before = stage_at_beat(scene, trace, walk, beat, 1),
                    after = stage_at_beat(scene, trace, walk, beat + 1, 0);
        if (over_time(before) && over_time(after))
          visit(fmt::format("{}, {} b{} to b{}", what, scene.name, beat, beat + 1), before, after);
      }
    }
  };
  for (const Crafted& made : crafted()) check(made.name, made.trace, made.walk);
  for (const std::string_view name : sample_names)
    for_each_walk(sample(name), [&](const std::string& what, const Walk& walk) {
      check(fmt::format("{} {}", name, what), sample(name), walk);
    });
}

TEST(Continuity, TheAxisStaysWhereItWas) {
  std::size_t boundaries = 0;
  for_each_boundary([&](const std::string& where, const Stage& before, const Stage& after) {
    ASSERT_EQ(before.picture.index(), after.picture.index()) << where;
    if (const auto* timeline = std::get_if<TimelinePicture>(&before.picture)) {
      ++boundaries;
      EXPECT_EQ(timeline->from, std::get<TimelinePicture>(after.picture).from) << where;
      EXPECT_EQ(timeline->to, std::get<TimelinePicture>(after.picture).to) << where;
    }
    if (const ReceiptPicture* receipt = receipt_of(before)) {
      EXPECT_EQ(receipt->from, receipt_of(after)->from) << where;
      EXPECT_EQ(receipt->to, receipt_of(after)->to) << where;
    }
  });
  EXPECT_GT(boundaries, 200u / walk_stride);
}

TEST(Continuity, WhatWasFullyThereStaysAndWhatIsNewBeginsAtNothing) {
  for_each_boundary([](const std::string& where, const Stage& before, const Stage& after) {
    if (const ReceiptPicture* receipt = receipt_of(before)) {
      const ReceiptPicture& next = *receipt_of(after);
      ASSERT_EQ(receipt->lines.size(), next.lines.size()) << where;
      for (std::size_t i = 0; i < next.lines.size(); ++i)
        EXPECT_EQ(receipt->lines[i].shown, next.lines[i].shown) << where << ": " << next.lines[i].key;
      for (std::size_t i = 0; i < next.stations.size(); ++i)
        EXPECT_EQ(receipt->stations[i].folded, next.stations[i].folded) << where;
      EXPECT_EQ(next.total_shown, receipt->total_shown) << where;
    }
    if (const auto* timeline = std::get_if<TimelinePicture>(&before.picture)) {
      const auto& next = std::get<TimelinePicture>(after.picture);
      ASSERT_EQ(timeline->groups.size(), next.groups.size()) << where;
      for (std::size_t g = 0; g < next.groups.size(); ++g)
        for (std::size_t r = 0; r < std::min(next.groups[g].rows.size(), timeline->groups[g].rows.size()); ++r)
          EXPECT_GE(next.groups[g].rows[r].shown, timeline->groups[g].rows[r].shown)
              << where << ": the row " << next.groups[g].rows[r].name << " goes away";
      for (const Arrow& arrow : next.arrows) EXPECT_EQ(arrow.travelled, timeline->arrows.empty() ? 0 : 1) << where;
    }
  });
}

TEST(Continuity, EveryPhaseOfAMotionIsInOrder) {
  for (const Crafted& made : crafted())
    for (const Scene& scene : scenes()) {
      const auto beats = static_cast<std::int64_t>(scene.beats(made.trace, made.walk).size());
      for (std::int64_t beat = 1; beat <= beats; ++beat)
        for (int step = 0; step <= 10; ++step) {
          const Stage stage = stage_at_beat(scene, made.trace, made.walk, beat, step / 10.0);
          const auto* timeline = std::get_if<TimelinePicture>(&stage.picture);
          if (timeline == nullptr) continue;
          EXPECT_LT(timeline->from, timeline->to) << made.name;
          EXPECT_TRUE(std::isfinite(timeline->from) && std::isfinite(timeline->to));
          for (const RowGroup& group : timeline->groups)
            for (const Row& row : group.rows) {
              EXPECT_GE(row.shown, 0);
              EXPECT_LE(row.shown, 1);
              for (std::size_t b = 1; b < row.bars.size(); ++b)
                EXPECT_LE(row.bars[b - 1].start, row.bars[b].start) << made.name << ", " << row.name;
            }
        }
    }
}

TEST(Purity, TheSameQuestionHasTheSameAnswer) {
  for (const Crafted& made : crafted())
    for (const Scene& scene : scenes()) {
      const auto beats = static_cast<std::int64_t>(scene.beats(made.trace, made.walk).size());
      std::vector<std::string> forward;
      for (std::int64_t beat = 1; beat <= beats; ++beat)
        for (const double phase : {0.0, 0.4, 1.0})
          forward.push_back(everything_on(stage_at_beat(scene, made.trace, made.walk, beat, phase)));
      // Backwards, since that is where something remembered would show.
      for (std::int64_t beat = beats; beat >= 1; --beat)
        for (const double phase : {1.0, 0.4, 0.0}) {
          EXPECT_EQ(everything_on(stage_at_beat(scene, made.trace, made.walk, beat, phase)), forward.back())
              << made.name;
          forward.pop_back();
        }
    }
}

TEST(Purity, PhasesDiffer) {
  // Else the motions would be still pictures, and the tests above would compare nothing.
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  for (const Scene& scene : scenes())
    EXPECT_NE(everything_on(stage_at_beat(scene, trace, walk, 4, 0)),
              everything_on(stage_at_beat(scene, trace, walk, 4, 0.5)))
        << scene.name;
}

}  // namespace
}  // namespace warpwalk::story::testing

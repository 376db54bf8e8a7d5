// A stage depends on nothing but what it is given, in every phase of its motion. That nothing jumps from beat to beat
// is in sweep/continuity_checks.cpp.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

void expect_in_order(const TimelinePicture& timeline, const std::string& where) {
  EXPECT_LT(timeline.from, timeline.to) << where;
  EXPECT_TRUE(std::isfinite(timeline.from) && std::isfinite(timeline.to)) << where;
  for (const RowGroup& group : timeline.groups)
    for (const Row& row : group.rows) {
      EXPECT_GE(row.shown, 0) << where;
      EXPECT_LE(row.shown, 1) << where;
      for (std::size_t b = 1; b < row.bars.size(); ++b)
        EXPECT_LE(row.bars[b - 1].start, row.bars[b].start) << where << ", " << row.name;
    }
}

/// A moment of a beat's motion, with all that is on its stage.
struct SeenMoment {
  std::int64_t beat;
  double phase;
  std::string everything;
};

/// Goes through the motions of a scene, and checks them on the way. Motions over an axis of time are looked at in more
/// phases than the others, which have tests of their own.
std::vector<SeenMoment> motions_of(const Crafted& made, const Scene& scene) {
  std::vector<SeenMoment> seen;
  const auto beats = static_cast<std::int64_t>(scene.beats(made.trace, made.walk).size());
  for (std::int64_t beat = 1; beat <= beats; ++beat) {
    const auto look = [&](double phase) {
      const Stage stage = stage_at_beat(scene, made.trace, made.walk, beat, phase);
      const std::string where = fmt::format("{}, {} b{} at {}", made.name, scene.name, beat, phase);
      EXPECT_EQ(stage.beat, beat) << where;
      EXPECT_EQ(stage.phase, phase) << where;
      const auto* const timeline = std::get_if<TimelinePicture>(&stage.picture);
      if (timeline != nullptr) expect_in_order(*timeline, where);
      return std::pair(timeline != nullptr, everything_on(stage));
    };
    std::size_t over_time = 0;
    for (const double phase : {0.0, 0.4, 1.0}) {
      auto [has_axis, everything] = look(phase);
      over_time += has_axis;
      seen.push_back({beat, phase, std::move(everything)});
    }
    EXPECT_TRUE(over_time == 0 || over_time == 3) << made.name << ", " << scene.name << " b" << beat;
    if (over_time > 0)
      for (const double phase : {0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9}) look(phase);
  }
  return seen;
}

TEST(Purity, EveryPhaseIsInOrderAndTheSameQuestionHasTheSameAnswer) {
  for (const Crafted& made : crafted())
    for (const Scene& scene : scenes()) {
      const std::vector<SeenMoment> seen = motions_of(made, scene);
      // Backwards, since that is where something remembered would show.
      for (std::size_t i = seen.size(); i-- > 0;)
        EXPECT_EQ(everything_on(stage_at_beat(scene, made.trace, made.walk, seen[i].beat, seen[i].phase)),
                  seen[i].everything)
            << made.name;
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

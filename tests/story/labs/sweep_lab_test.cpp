// The lab "sweep": what it draws of a sweep in a walk.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/story/labs/sweep/sweep_data.h"
#include "core/story/scene_list.h"
#include "core/trace/read/read_trace.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

Stage sweep_stage(const Crafted& made, std::int64_t beat) {
  return find_scene("lab/sweep")
      ->stage({made.trace, made.walk, english(), hardware(), {Moment::Kind::beat, beat, 1}, made.controls});
}

TEST(SweepLab, DrawsTheFrontAndTheFirstGpuLast) {
  const Stage stage = sweep_stage(crafted_named("a sweep"), 1);
  EXPECT_EQ(stage.title, "vecadd: cycles over l2_bytes");
  EXPECT_NE(stage.sentence.find("a smaller value"), std::string::npos) << stage.sentence;
  const ScatterPicture picture = panel_picture<ScatterPicture>(stage);
  ASSERT_EQ(picture.points.size(), 4u);
  EXPECT_EQ(picture.points.back().name, "NVIDIA H200");
  EXPECT_EQ(std::ranges::count(picture.points, 1u, &ScatterPoint::group), 2);
  EXPECT_EQ(picture.lines.size(), 2u);  // between the three that no other one beats
  EXPECT_TRUE(picture.across.logarithmic);
  EXPECT_EQ(picture.across.label, "l2_bytes (B)");
}

TEST(SweepLab, ListsElasticitiesOnlyWhereOneParameterChanged) {
  const TablePicture table = panel_picture<TablePicture>(sweep_stage(crafted_named("a sweep"), 2));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(sweep_stage(crafted_named("a sweep of combinations"), 2).title, "No parameter was changed alone");
}

TEST(SweepLab, DamagedOnesAreNone) {
  for (
      const char* const json :
      {R"({"warpwalk_sweep": {"version": 2, "launches": [{"points": {"a": [{"value": 1, "cycles": 1}]}}]}, "traceEvents": []})",
       R"({"warpwalk_sweep": [], "traceEvents": []})", R"({"warpwalk_sweep": {"version": 1}, "traceEvents": []})",
       R"({"warpwalk_sweep": {"version": 1, "launches": [{"points": {"a": [{"value": 1}, 7]}}]}, "traceEvents": []})"})
    EXPECT_TRUE(sweep_of(trace::read_trace_text(json).trace).empty()) << json;
}

}  // namespace
}  // namespace warpwalk::story::testing

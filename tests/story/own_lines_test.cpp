// Lines that a person types: their first picture has their tensors and their result, and the lanes begin with an
// instruction whose lanes differ.
#include <set>
#include <stdexcept>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/run/expression/run_expression.h"
#include "core/run/replay/history.h"
#include "core/run/replay/time_travel.h"
#include "core/story/facts/launch/typed_inputs.h"
#include "core/story/pictures/opening.h"
#include "core/story/scene_list.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct OwnLine {
  std::string expression;
  std::vector<ops::Variable> inputs;
};

trace::Trace trace_of(const OwnLine& line) {
  run::RunRequest request;
  request.expression = line.expression;
  request.inputs = line.inputs;
  request.device = *hardware().find("h200");
  request.threads = 2;
  request.assets = WARPWALK_SOURCE_DIR "/assets";
  request.now_ns = [now = std::int64_t{0}]() mutable { return now += 100; };
  auto ran = run::run_expression(request);
  if (const auto* const error = std::get_if<run::RunError>(&ran)) throw std::runtime_error(error->line);
  return std::move(std::get<run::RunResult>(ran).trace);
}

Crafted simulated(const OwnLine& line) {
  Crafted made{line.expression, trace_of(line), {}, {}};
  made.walk = default_walk(made.trace);
  made.history = HistoryView::State::ready;
  run::HistoryOptions options;
  options.device = *hardware().find("h200");
  auto built = run::build_history(made.trace, made.walk.kernel, options);
  if (const auto* const none = std::get_if<run::NoHistory>(&built)) throw std::runtime_error(none->reason);
  made.simulated = std::get<0>(built);
  auto travel = run::TimeTravel::make(made.trace, made.walk.kernel, made.simulated, options);
  if (!travel) throw std::runtime_error(travel.error());
  made.travel = std::move(*travel);
  return made;
}

Stage stage_in(const Crafted& one, std::string_view scene, std::string_view beat) {
  const Scene& found = *find_scene(scene);
  SceneInput input{one.trace, one.walk, english(), hardware(), {}, one.controls};
  input.moment = {Moment::Kind::beat, beat_named(found, one.trace, one.walk, beat), 1};
  input.history = one.view();
  return stage_of(found, input);
}

OpeningPicture opening_of(const trace::Trace& trace) {
  const Walk walk = default_walk(trace);
  const Scene& boardroom = *find_scene("boardroom");
  return panel_picture<OpeningPicture>(
      stage_at_beat(boardroom, trace, walk, beat_named(boardroom, trace, walk, "line")));
}

/// "a: 64 × 256" of each box.
std::vector<std::string> boxes_of(const OpeningPicture& picture) {
  std::vector<std::string> boxes;
  for (const OpeningMatrix& one : picture.matrices) boxes.push_back(one.sign + one.name + ": " + one.size);
  return boxes;
}

std::vector<OwnLine> own_lines() {
  const ops::Variable a{"a", ops::DType::f32, {64, 256}};
  return {{"sum(exp(a) * b)", {a, {"b", ops::DType::f32, {64, 256}}}},
          {"softmax(a, -1)", {a}},
          {"relu(a @ b + c)",
           {{"a", ops::DType::f32, {64, 32}}, {"b", ops::DType::f32, {32, 48}}, {"c", ops::DType::f32, {48}}}},
          {"a.T @ b", {{"a", ops::DType::f32, {32, 64}}, {"b", ops::DType::f32, {32, 48}}}},
          {"layer_norm(a, [256])", {a}},
          {"sum(a, 1)", {a}},
          {"a * s", {a, {"s", ops::DType::f32, {}}}}};
}

TEST(OwnLines, TheLanesBeginWithValuesThatDiffer) {
  for (const OwnLine& line : own_lines()) {
    const Stage stage = stage_in(simulated(line), "lanes", "lanes");
    const auto pictures = panels_of<WarpPicture>(stage);
    ASSERT_EQ(pictures.size(), 1u) << line.expression;
    std::set<std::string> results;
    for (const WarpValue& value : pictures[0]->values)
      if (value.result) results.insert(value.lanes.begin(), value.lanes.end());
    EXPECT_GT(results.size(), 4u) << line.expression << ": " << stage.sentence;
    // Arithmetic on floating-point numbers.
    EXPECT_THAT(stage.sentence, ::testing::ContainsRegex("^(FADD|FMUL|FFMA|FMNMX)")) << line.expression;
  }
}

TEST(OwnLines, TheFirstPictureHasTheTensorsAndTheResult) {
  const auto boxes = [](std::size_t line) { return boxes_of(opening_of(trace_of(own_lines().at(line)))); };
  EXPECT_THAT(boxes(0), ElementsAre("a: 64 × 256", ",b: 64 × 256", "→result: one number"));
  EXPECT_THAT(boxes(1), ElementsAre("a: 64 × 256", "→result: 64 × 256"));
  EXPECT_THAT(boxes(2), ElementsAre("a: 64 × 32", ",b: 32 × 48", ",c: 48", "→a @ b: 64 × 48", "→result: 64 × 48"));
  EXPECT_THAT(boxes(3), ElementsAre("a: 32 × 64", ",b: 32 × 48", "→result: 64 × 48"));
  EXPECT_THAT(boxes(4), ElementsAre("a: 64 × 256", "→result: 64 × 256"));
  EXPECT_THAT(boxes(5), ElementsAre("a: 64 × 256", "→result: 64"));
  EXPECT_THAT(boxes(6), ElementsAre("a: 64 × 256", "*s: one number", "=result: 64 × 256"));
}

TEST(OwnLines, TheInputsHaveTheirElements) {
  for (const OwnLine& line : own_lines()) {
    const trace::Trace trace = trace_of(line);
    const auto run = typed_run(trace);
    ASSERT_TRUE(run) << line.expression;
    ASSERT_EQ(run->inputs.size(), line.inputs.size()) << line.expression;
    const OpeningPicture picture = opening_of(trace);
    for (std::size_t i = 0; i < line.inputs.size(); ++i) {
      const OpeningMatrix& box = picture.matrices.at(i);
      ASSERT_FALSE(box.corner.empty()) << line.expression << " " << box.name;
      EXPECT_EQ(box.corner[0][0], element_text(run->inputs[i].values, box.first_row, box.first_column));
      EXPECT_EQ(run->inputs[i].values.seed, i + 1);
    }
    EXPECT_THAT(picture.numbers, HasSubstr("random"));
  }
}

// The number of a product is in the row of one input and the column of the other; of a.T, the column of a.
TEST(OwnLines, TheFollowedNumberIsMarkedWhereItComesFrom) {
  const OpeningPicture sum = opening_of(trace_of(own_lines().at(2)));
  EXPECT_TRUE(sum.matrices.at(0).row && !sum.matrices.at(0).column);
  EXPECT_TRUE(!sum.matrices.at(1).row && sum.matrices.at(1).column);
  EXPECT_TRUE(!sum.matrices.at(2).row && !sum.matrices.at(2).column);
  const OpeningMatrix& made = sum.matrices.at(3);
  ASSERT_TRUE(made.row && made.column);
  EXPECT_EQ(made.corner[*made.row][*made.column], "?");
  EXPECT_FALSE(made.row_control.empty());
  EXPECT_TRUE(sum.matrices.at(4).row_control.empty());
  const OpeningPicture transposed = opening_of(trace_of(own_lines().at(3)));
  EXPECT_TRUE(!transposed.matrices.at(0).row && transposed.matrices.at(0).column);
  EXPECT_TRUE(!transposed.matrices.at(1).row && transposed.matrices.at(1).column);
}

TEST(OwnLines, WholeNumbersHaveNoFraction) {
  const trace::Trace trace = trace_of({"a + b", {{"a", ops::DType::i32, {4, 4}}, {"b", ops::DType::i32, {4, 4}}}});
  const OpeningPicture picture = opening_of(trace);
  ASSERT_GE(picture.matrices.size(), 2u);
  ASSERT_FALSE(picture.matrices[0].corner.empty());
  EXPECT_EQ(picture.matrices[0].corner[0][0].find('.'), std::string::npos);
}

// Elements from a file are shown as they are.
TEST(OwnLines, ElementsFromAFileAreShown) {
  Crafted made{"given", trace_of(own_lines().at(0)), {}, {}};
  for (auto& [key, json] : made.trace.metadata)
    if (made.trace.text(key) == "warpwalk_run") {
      std::string text(made.trace.text(json));
      text.insert(text.find("\"inputs\""), "\"given\": [\"a\"], ");
      json = made.trace.strings.intern(text);
    }
  // The bytes are too many for the trace, or of another kernel: only the sizes are known.
  const OpeningPicture picture = opening_of(made.trace);
  ASSERT_EQ(picture.matrices.size(), 3u);
  EXPECT_TRUE(picture.matrices[0].corner.empty());
  EXPECT_FALSE(picture.matrices[1].corner.empty());
  EXPECT_THAT(picture.numbers, ::testing::Not(HasSubstr("random")));
}

}  // namespace
}  // namespace warpwalk::story::testing

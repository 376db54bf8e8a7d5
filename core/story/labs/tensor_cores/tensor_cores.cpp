// Lab: the computation of a tensor core, the places of its matrices' elements in registers, and its precision.
#include "core/story/labs/tensor_cores/tensor_cores.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view tensor_cores_lab = TensorLab::name;

std::vector<Task> tasks_of(const TensorLab& t) {
  const double size = std::max(std::abs(t.dot.exact), 1e-9);
  return {{"corner", t.row == 15 && t.column == 7},
          {"lane", t.lane == 31},
          {"quad", t.matrix == TensorMatrix::b && t.lane / 4 == 2},
          {"fp16", t.format == "FP16" && std::abs(t.dot.tensor_fp16 - t.dot.rounded) > 0.005 * size},
          {"fp8", t.format == "FP8 E4M3" &&
                      std::abs(t.dot.rounded - t.dot.exact) > std::abs(t.dot.tensor_fp32 - t.dot.rounded)}};
}

void set_picture(const TensorLab& t, std::string_view beat, Stage& stage) {
  Panels panels;
  if (beat == "element")
    panels.rows = {{1,
                    {matrix_panel(t, TensorMatrix::a), matrix_panel(t, TensorMatrix::b),
                     matrix_panel(t, TensorMatrix::d), products_panel(t)}}};
  else if (beat == "fragment")
    panels.rows = {{1, {fragment_panel(t), registers_panel(t)}}};
  else if (beat == "precision")
    panels.rows = {{1, {precision_panel(t)}}};
  else if (beat == "generations")
    panels.rows = {{1, {tensor_generations_panel(t)}}};
  else if (beat == "sparse")
    panels.rows = {{1, {sparse_panel(t, false)}}, {1, {sparse_panel(t, true)}}};
  else
    panels.rows = {{1, {tasks_panel(t.input, tensor_cores_lab, tasks_of(t))}, true},
                   {1, {fragment_panel(t), matrix_panel(t, TensorMatrix::d)}}};
  stage.picture = std::make_shared<const Panels>(std::move(panels));
  if (beat == "element") keep_controls(stage, {"format"});
  if (beat == "fragment") keep_controls(stage, {"matrix"});
  if (beat == "precision") keep_controls(stage, {"format", "length"});
  if (beat == "generations") keep_controls(stage, {});
  if (beat == "sparse") keep_controls(stage, {"row"});
  if (beat == "tasks") keep_controls(stage, {"format", "matrix", "length"});
}

// The lane that holds an element of D, before it is shown.
Ask lane_question(const TensorLab& t) {
  Ask asked;
  asked.key = "fragment";
  asked.about = fmt::format("element {} {}", t.row, t.column);
  const int right = place_of(TensorMatrix::d, t.row, t.column).lane;
  std::vector<int> lanes = {right, (right + 1) % 32, t.row * 2, (t.row + 8 * t.column) % 32};
  std::ranges::sort(lanes);
  lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
  for (const int lane : lanes) {
    if (lane == right) asked.options.right = asked.options.words.size();
    asked.options.values.push_back(
        {{"lane", fmt::to_string(lane)}, {"group", fmt::to_string(lane / 4)}, {"in_group", fmt::to_string(lane % 4)}});
    asked.options.keys.emplace_back(lane / 4 == right / 4 ? "same_group" : "other_group");
    asked.options.words.push_back(t.word("lane_n", {{"n", fmt::to_string(lane)}}));
  }
  asked.hide = [&t](Panels& panels) {  // D with the element in question
    if (auto* const fragment = picture_at<CellGrid>(panels, 0, 0)) {
      hide_cells(*fragment);
      fragment->followed = static_cast<std::size_t>(t.row * TensorTile::n + t.column);
    }
    panels.rows[0].panels.resize(1);
    panels.rows[0].panels[0].heading = t.word("asked_element");
  };
  return asked;
}

}  // namespace

std::vector<Beat> tensor_cores_beats(const Trace&, const Walk&) {
  return {{"element", 0}, {"fragment", 0}, {"precision", 0}, {"generations", 0}, {"sparse", 0}, {"tasks", 0}};
}

Stage tensor_cores(const SceneInput& input) {
  const std::vector<Beat> beats = tensor_cores_beats(input.trace, input.walk);
  const std::string beat = beats[static_cast<std::size_t>(input.moment.value - 1)].key;
  TensorLab t(input);
  const FragmentPlace place = place_of(TensorMatrix::d, t.row, t.column);
  const Narration::Values values = {{"format", std::string(t.format)},
                                    {"row", fmt::to_string(t.row)},
                                    {"column", fmt::to_string(t.column)},
                                    {"value", real_text(t.tile.sums(t.row, t.column).back(), 5)},
                                    {"lane", fmt::to_string(t.lane)},
                                    {"own_lane", fmt::to_string(place.lane)},
                                    {"length", with_thousands(t.length)},
                                    {"fp32", real_text(std::abs(t.dot.tensor_fp32 - t.dot.rounded), 3)},
                                    {"fp16", real_text(std::abs(t.dot.tensor_fp16 - t.dot.rounded), 3)}};
  Stage stage = common_stage(input, tensor_cores_lab, beats, values, "registers");
  FactWriter facts(input, values, stage);
  const auto simulated = [&](std::string_view key, double value) {
    facts.fact(key, Figure::recorded(real_text(value, 6), Origin::simulated));
  };
  if (beat == "precision") {
    facts.derived("exact", real_text(t.dot.exact, 9));
    simulated("fp32", t.dot.tensor_fp32);
    simulated("fp16", t.dot.tensor_fp16);
  } else if (beat == "sparse") {
    facts.derived("bits", fmt::format("{} + {}", 8 * 16, 8 * 2));
  } else {
    facts.derived("value", real_text(t.tile.sums(t.row, t.column).back(), 6));
    // The first beat stands before the question about it.
    if (beat != "element") facts.derived("place", fmt::format("{}, {}", place.lane, place.reg));
    facts.counted("products", TensorTile::m * TensorTile::n * TensorTile::k);
  }
  stage.controls = t.controls.take();
  set_picture(t, beat, stage);
  if (beat == "fragment") ask(input, values, lane_question(t), stage);
  return stage;
}

}  // namespace warpwalk::story

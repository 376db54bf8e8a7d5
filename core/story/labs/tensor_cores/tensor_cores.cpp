// Lab: the computation of a tensor core, the places of its matrices' elements in registers, and its precision.
#include "core/story/labs/tensor_cores/tensor_cores.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

std::vector<Task> tasks_of(const TensorLab& t) {
  const double size = std::max(std::abs(t.dot.exact), 1e-9);
  return {{"corner", t.row == 15 && t.column == 7},
          {"lane", t.lane == 31},
          {"quad", t.matrix == TensorMatrix::b && t.lane / 4 == 2},
          {"fp16", t.format == "FP16" && std::abs(t.dot.tensor_fp16 - t.dot.rounded) > 0.005 * size},
          {"fp8", t.format == "FP8 E4M3" &&
                      std::abs(t.dot.rounded - t.dot.exact) > std::abs(t.dot.tensor_fp32 - t.dot.rounded)}};
}

using TensorCoresBeat = BeatOf<TensorLab>;

// The lane that holds an element of D, before it is shown.
std::optional<Ask> lane_question(const TensorLab& t) {
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

Narration::Values values_of(const TensorLab& t) {
  return {{"format", std::string(t.format)},
          {"row", fmt::to_string(t.row)},
          {"column", fmt::to_string(t.column)},
          {"value", real_text(t.tile.sums(t.row, t.column).back(), 5)},
          {"lane", fmt::to_string(t.lane)},
          {"own_lane", fmt::to_string(place_of(TensorMatrix::d, t.row, t.column).lane)},
          {"length", with_thousands(t.length)},
          {"fp32", real_text(std::abs(t.dot.tensor_fp32 - t.dot.rounded), 3)},
          {"fp16", real_text(std::abs(t.dot.tensor_fp16 - t.dot.rounded), 3)}};
}

// Without the place, which would answer the next beat's question.
void element_facts(const TensorLab& t, FactWriter& facts) {
  facts.derived("value", real_text(t.tile.sums(t.row, t.column).back(), 6));
  facts.counted("products", TensorTile::m * TensorTile::n * TensorTile::k);
}

void fragment_facts(const TensorLab& t, FactWriter& facts) {
  const FragmentPlace place = place_of(TensorMatrix::d, t.row, t.column);
  facts.derived("value", real_text(t.tile.sums(t.row, t.column).back(), 6));
  facts.derived("place", fmt::format("{}, {}", place.lane, place.reg));
  facts.counted("products", TensorTile::m * TensorTile::n * TensorTile::k);
}

void precision_facts(const TensorLab& t, FactWriter& facts) {
  const auto simulated = [&](std::string_view key, double value) {
    facts.fact(key, Figure::recorded(real_text(value, 6), Origin::simulated));
  };
  facts.derived("exact", real_text(t.dot.exact, 9));
  simulated("fp32", t.dot.tensor_fp32);
  simulated("fp16", t.dot.tensor_fp16);
}

constexpr Frame<TensorLab> tensor_cores_frame = {.subject = [](const Here& here) { return TensorLab(here.input); },
                                                 .stop = "registers",
                                                 .values = values_of,
                                                 .complete = take_controls};

constexpr TensorCoresBeat tensor_cores_beats[] = {
    {.key = "element",
     .facts = element_facts,
     .panels = [](const TensorLab& t) -> PanelRows {
       return {{1,
                {matrix_panel(t, TensorMatrix::a), matrix_panel(t, TensorMatrix::b), matrix_panel(t, TensorMatrix::d),
                 products_panel(t)}}};
     },
     .controls = [](const TensorLab&) -> ControlNames { return {"format"}; }},
    {.key = "fragment",
     .facts = fragment_facts,
     .panels = [](const TensorLab& t) -> PanelRows {
       return {{1, {fragment_panel(t), registers_panel(t)}}};
     },
     .controls = [](const TensorLab&) -> ControlNames { return {"matrix"}; },
     .question = lane_question},
    {.key = "precision",
     .facts = precision_facts,
     .panels = [](const TensorLab& t) -> PanelRows {
       return {{1, {precision_panel(t)}}};
     },
     .controls = [](const TensorLab&) -> ControlNames {
       return {"format", "length"};
     }},
    {.key = "generations",
     .facts = fragment_facts,
     .panels = [](const TensorLab& t) -> PanelRows {
       return {{1, {tensor_generations_panel(t)}}};
     },
     .controls = no_controls},
    {.key = "sparse",
     .facts = [](const TensorLab&, FactWriter& facts) { facts.derived("bits", fmt::format("{} + {}", 8 * 16, 8 * 2)); },
     .panels = [](const TensorLab& t) -> PanelRows {
       return {{1, {sparse_panel(t, false)}}, {1, {sparse_panel(t, true)}}};
     },
     .controls = [](const TensorLab&) -> ControlNames { return {"row"}; }},
    {.key = "tasks",
     .facts = fragment_facts,
     .panels = [](const TensorLab& t) -> PanelRows {
       return {{1, {tasks_panel(t.input, TensorLab::name, tasks_of(t))}, true},
               {1, {fragment_panel(t), matrix_panel(t, TensorMatrix::d)}}};
     },
     .controls = [](const TensorLab&) -> ControlNames {
       return {"format", "matrix", "length"};
     }}};

}  // namespace

const Contents& tensor_cores_lab() {
  static const BeatTable table(TensorLab::name, tensor_cores_frame, tensor_cores_beats);
  return table;
}

}  // namespace warpwalk::story

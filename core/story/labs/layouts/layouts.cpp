// Lab: where a Triton kernel keeps the elements of its tensors, checked by a run.
#include "core/story/labs/layouts/layouts.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

using LayoutsBeat = BeatOf<LayoutsLab>;

std::vector<Task> tasks_of(const LayoutsLab& lab) {
  const compiled::LayoutPlace place = lab.place();
  return {{"product", lab.tensor == LayoutsLab::Tensor::product && place.warp == 1},
          {"lane", place.lane == 31},
          {"copies", lab.tensor == LayoutsLab::Tensor::operand && place.warp == 2},
          {"plain", lab.buffer == 2}};
}

std::optional<Ask> layout_question(const LayoutsLab& lab) {
  if (lab.layout.shape.size() != 2) return {};
  Ask asked;
  asked.key = "registers";
  asked.about = fmt::format("element {} {} {}", static_cast<int>(lab.tensor), lab.row, lab.column);
  const auto right = static_cast<std::int64_t>(lab.place().lane);
  std::vector<std::int64_t> lanes = {right, (right + 1) % 32, (right + 8) % 32, lab.column};
  std::ranges::sort(lanes);
  lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
  for (const std::int64_t lane : lanes) {
    if (lane == right) asked.options.right = asked.options.words.size();
    asked.options.values.push_back({{"lane", fmt::to_string(lane)}});
    asked.options.words.push_back(lab.word("lane_n", {{"n", fmt::to_string(lane)}}));
  }
  asked.hide = [&lab](Panels& panels) {
    if (auto* const elements = picture_at<CellGrid>(panels, 1, 0)) {
      hide_cells(*elements);
      elements->followed = static_cast<std::size_t>((lab.row - lab.first_row) * LayoutsLab::shown_columns + lab.column);
    }
    panels.rows[1].panels.resize(1);
  };
  return asked;
}

/// Places that are as in the run, and all that were compared, of all tensors.
std::pair<std::uint64_t, std::uint64_t> all_places(const LayoutsLab& lab) {
  std::uint64_t equal = 0, compared = 0;
  for (const run::LayoutCheck& check : lab.run.layouts.checks) equal += check.equal, compared += check.compared;
  return {equal, compared};
}

Narration::Values layout_values(const LayoutsLab& lab) {
  const compiled::LayoutPlace place = lab.place();
  const auto [equal, compared] = all_places(lab);
  return {{"row", fmt::to_string(lab.row)},
          {"column", fmt::to_string(lab.column)},
          {"lane", fmt::to_string(place.lane)},
          {"warp", fmt::to_string(place.warp)},
          {"equal", with_thousands(static_cast<std::int64_t>(equal))},
          {"compared", with_thousands(static_cast<std::int64_t>(compared))}};
}

void checked_fact(std::uint64_t equal, std::uint64_t compared, FactWriter& facts) {
  facts.fact("checked", Figure::recorded(fmt::format("{} / {}", with_thousands(static_cast<std::int64_t>(equal)),
                                                     with_thousands(static_cast<std::int64_t>(compared))),
                                         Origin::simulated));
}

void layout_register_facts(const LayoutsLab& lab, FactWriter& facts) {
  if (lab.layout.shape.size() != 2) return;
  facts.counted("per_thread", lab.layout.size(compiled::LinearLayout::registers));
  if (const run::LayoutCheck* const check = lab.check(lab.entry); check != nullptr && check->checked())
    checked_fact(check->equal, check->compared, facts);
}

void layout_check_facts(const LayoutsLab& lab, FactWriter& facts) {
  const auto [equal, compared] = all_places(lab);
  checked_fact(equal, compared, facts);
}

void layout_bank_facts(const LayoutsLab& lab, FactWriter& facts) {
  const run::LayoutCheck* const check = lab.check(lab.shared_entry);
  if (check == nullptr || !check->checked()) return;
  const auto simulated = [&](std::string_view key, std::string text) {
    facts.fact(key, Figure::recorded(std::move(text), Origin::simulated));
  };
  checked_fact(check->equal, check->compared, facts);
  simulated("wavefronts", with_thousands(static_cast<std::int64_t>(check->conflicts.wavefronts)));
  simulated("conflicts", with_thousands(static_cast<std::int64_t>(check->conflicts.conflicts)));
  facts.counted("predicted", check->conflicts.predicted_wavefronts);
}

constexpr Frame<LayoutsLab> layouts_frame = {.subject = [](const Here& here) { return LayoutsLab(here.input); },
                                             .stop = "registers",
                                             .values = layout_values,
                                             .complete = take_controls};

constexpr LayoutsBeat layouts_beats[] = {
    {.key = "registers",
     .facts = layout_register_facts,
     .panels = [](const LayoutsLab& lab) -> PanelRows {
       return {{1, {attribute_panel(lab, false)}}, {6, {elements_panel(lab), lane_panel(lab)}}};
     },
     .controls = [](const LayoutsLab&) -> ControlNames {
       return {"tensor", "first"};
     },
     .question = layout_question},
    {.key = "shared",
     .facts = layout_bank_facts,
     .panels = [](const LayoutsLab& lab) -> PanelRows {
       return {{1, {attribute_panel(lab, true)}}, {6, {banks_panel(lab)}}};
     },
     .controls = [](const LayoutsLab&) -> ControlNames { return {"buffer"}; }},
    {.key = "checked",
     .facts = layout_check_facts,
     .panels = [](const LayoutsLab& lab) -> PanelRows {
       return {{1, {checks_panel(lab)}}};
     },
     .controls = no_controls},
    {.key = "tasks",
     .facts = layout_register_facts,
     .panels = [](const LayoutsLab& lab) -> PanelRows {
       return {{2, {tasks_panel(lab.input, LayoutsLab::name, tasks_of(lab))}, true},
               {4, {elements_panel(lab), lane_panel(lab)}}};
     },
     .controls = [](const LayoutsLab&) -> ControlNames {
       return {"tensor", "first", "buffer"};
     }}};

}  // namespace

const Contents& layouts_lab() {
  static const BeatTable table(LayoutsLab::name, layouts_frame, layouts_beats);
  return table;
}

}  // namespace warpwalk::story

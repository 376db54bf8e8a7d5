// Lab: branches and loops in a warp, with the mask of active lanes.
#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/warp/access_code.h"
#include "core/story/labs/warp/mask_run.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view divergence_name = "lab/divergence";
constexpr std::string_view divergence_words = "lab/divergence.word";
constexpr std::string_view shape_keys[] = {"one_sided", "two_sided", "cases", "loop"};
constexpr std::string_view condition_keys[] = {"first_lanes", "every_nth", "by_hash", "by_warp"};

using Shape = MaskProgram::Shape;
using Condition = MaskProgram::Condition;

// The program that a beat starts with.
struct DivergenceStart {
  Shape shape = Shape::two_sided;
  Condition condition = Condition::first_lanes;
  std::int64_t split = 16;
};

struct Divergence {
  const SceneInput& input;
  ControlSet controls{input, divergence_name};
  MaskProgram program;
  std::int64_t lane = 0;
  std::vector<MaskSegment> run;
  MaskCounts counts;

  Divergence(const SceneInput& in, const DivergenceStart& start) : input(in) {
    std::vector<std::string> shapes, conditions;
    for (const std::string_view key : shape_keys) shapes.push_back(word(key));
    for (const std::string_view key : condition_keys) conditions.push_back(word(key));
    program.shape = static_cast<Shape>(
        controls.choice("shape", std::move(shapes), static_cast<std::size_t>(start.shape), "example"));
    program.condition = static_cast<Condition>(
        controls.choice("condition", std::move(conditions), static_cast<std::size_t>(start.condition), "example"));
    program.split = static_cast<int>(controls.slider("split", steps_by(1, 32, 1), start.split, "example"));
    program.body = static_cast<int>(controls.slider("body", steps_by(1, 32, 1), 8, "example"));
    lane = controls.pointed("lane", 31, 20);
    run = mask_run(program);
    counts = counts_of(run);
  }

  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(divergence_words, key, values);
  }
  std::string segment_word(const MaskSegment& segment) const {
    if (segment.part == MaskSegment::Part::before) return word("before");
    if (segment.part == MaskSegment::Part::after) return word("after");
    if (program.shape == Shape::cases) return word("case_n", {{"n", fmt::to_string(segment.path)}});
    if (program.shape == Shape::loop) return word("trip_n", {{"n", fmt::to_string(segment.path + 1)}});
    return word(segment.path == 0 ? "path_a" : "path_b");
  }
};

// The lanes over the instructions of the warp.
Panel lanes_panel(const Divergence& d) {
  RasterPicture raster;
  raster.states = {{Tone::work, false, false, d.word("together")},
                   {Tone::memory, false, false, d.word("on_path")},
                   {Tone::shared, false, false, d.word("on_other")},
                   {Tone::quiet, false, false, d.word("inactive")}};
  raster.word_cycle = d.word("instruction");
  raster.control = fmt::format("{}.lane", divergence_name);
  raster.word_rows = d.word("lane");
  RasterGroup group;
  for (int lane = 0; lane < 32; ++lane) {
    RasterRow row = {fmt::to_string(lane), static_cast<double>(lane), lane == d.lane};
    std::int64_t at = 0;
    for (const MaskSegment& segment : d.run) {
      const bool active = (segment.mask >> lane & 1) != 0;
      const std::size_t state = !active                                   ? 3
                                : segment.part != MaskSegment::Part::path ? 0
                                : segment.path % 2 == 0                   ? 1
                                                                          : 2;
      row.spans.push_back({at, at + segment.instructions, state, d.segment_word(segment)});
      at += segment.instructions;
    }
    raster.to = at;
    group.rows.push_back(std::move(row));
  }
  raster.groups.push_back(std::move(group));
  return {"", 1.5, std::move(raster)};
}

// The program, with the chosen lane's path.
Panel mask_code_panel(const Divergence& d) {
  const int lane = static_cast<int>(d.lane);
  const bool branch = d.program.shape == Shape::one_sided || d.program.shape == Shape::two_sided;
  return lab_code_panel(d.word("code"), mask_code(d.program, lane),
                        {d.word(!branch                        ? "lane_value"
                                : way_of(d.program, lane) == 0 ? "lane_true"
                                                               : "lane_false",
                                {{"lane", fmt::to_string(lane)}, {"condition", condition_text(d.program, lane)}})},
                        1);
}

// The instructions that the warp issues, with their masks.
Panel masks_panel(const Divergence& d) {
  constexpr std::size_t most_rows = 12;
  TablePicture table;
  table.columns = {{d.word("part_head"), 3},
                   {d.word("mask_head"), 3},
                   {d.word("active_head"), 2, true},
                   {d.word("instructions_head"), 2, true}};
  for (std::size_t i = 0; i < std::min(most_rows, d.run.size()); ++i) {
    const MaskSegment& segment = d.run[i];
    TableCell mask = word_cell(fmt::format("0x{:08x}", segment.mask));
    mask.code = true;
    const auto figure = [&](int value, std::string_view formula) {
      return figure_cell(Figure::derived(value, Unit::count, d.word(formula)));
    };
    table.rows.push_back(
        {{word_cell(d.segment_word(segment)), std::move(mask), figure(std::popcount(segment.mask), "active_formula"),
          figure(segment.instructions, "instructions_formula")},
         (segment.mask >> d.lane & 1) != 0});
  }
  if (d.run.size() > most_rows)
    table.rows.push_back({{word_cell(d.word("more", {{"n", fmt::to_string(d.run.size() - most_rows)}}))}, false});
  return {"", 1, std::move(table)};
}

// The same program under each condition.
Panel conditions_panel(const Divergence& d) {
  TablePicture table;
  table.columns = {{d.word("condition_head"), 4},
                   {d.word("warp_head"), 2, true},
                   {d.word("lanes_head"), 2, true},
                   {d.word("efficiency_head"), 2, true}};
  for (std::size_t i = 0; i < std::size(condition_keys); ++i) {
    MaskProgram program = d.program;
    program.condition = static_cast<Condition>(i);
    const MaskCounts counts = counts_of(mask_run(program));
    const auto figure = [&](double value, Unit unit, std::string_view formula) {
      return figure_cell(Figure::derived(value, unit, d.word(formula)));
    };
    table.rows.push_back(
        {{word_cell(d.word(condition_keys[i])), figure(static_cast<double>(counts.warp), Unit::count, "warp_formula"),
          figure(static_cast<double>(counts.lanes), Unit::count, "lanes_formula"),
          figure(counts.efficiency(), Unit::percent, "efficiency_formula")},
         program.condition == d.program.condition});
  }
  return {"", 1, std::move(table)};
}

std::vector<Task> tasks_of(const Divergence& d) {
  const double efficiency = d.counts.efficiency();
  return {{"worst", d.program.shape == Shape::cases && d.run.size() == 34},
          {"half", d.program.shape == Shape::two_sided && d.program.condition == Condition::every_nth &&
                       std::popcount(d.run[1].mask) == 16},
          {"uniform", d.program.shape == Shape::two_sided && efficiency == 100},
          {"loop", d.program.shape == Shape::loop && d.program.split > 1 && efficiency < 60},
          {"even_loop", d.program.shape == Shape::loop && d.program.split > 1 && efficiency == 100},
          {"one_sided", d.program.shape == Shape::one_sided && efficiency < 15}};
}

// One path alone, both paths at once, no instruction after them, and the right number.
Options path_options(const Divergence& d) {
  const int paths = static_cast<int>(d.run.size()) - 2, body = d.program.body, right = d.counts.warp;
  std::map<int, std::string> numbers;
  numbers.emplace(right, "");
  numbers.emplace(3 + body, "one_path");
  numbers.emplace(right - 1, "joined");
  if (paths > 1) numbers.emplace(3 + body * 32, "every_lane");
  numbers.emplace(2 * right, "twice");
  Options options;
  for (const auto& [number, key] : numbers) {
    if (number < 1) continue;
    if (number == right) options.right = options.words.size();
    options.words.push_back(count_text(d.input.narration, "instruction", number));
    options.keys.push_back(key);
  }
  return options;
}

using DivergenceBeat = BeatOf<Divergence, DivergenceStart>;

Narration::Values divergence_values(const Divergence& d) {
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(d.input.narration, thing, n); };
  return {{"warp", count("instruction", d.counts.warp)},
          {"lanes", with_thousands(d.counts.lanes)},
          {"efficiency", fmt::format("{:.0f} %", d.counts.efficiency())},
          {"body", count("instruction", d.program.body)},
          {"split", fmt::to_string(d.program.split)},
          {"condition", d.word(condition_keys[static_cast<std::size_t>(d.program.condition)])},
          {"shape", d.word(shape_keys[static_cast<std::size_t>(d.program.shape)])}};
}

void divergence_facts(const Divergence& d, FactWriter& facts) {
  facts.counted("warp", static_cast<std::size_t>(d.counts.warp));
  facts.counted("lanes", static_cast<std::size_t>(d.counts.lanes));
  facts.derived("efficiency", d.counts.efficiency(), Unit::percent);
  facts.counted("parts", d.run.size() - 2);
  counted_facts(d.input, CountedGroup::instructions, facts.stage());
}

PanelRows mask_panels(const Divergence& d) {
  return {{1.3, {mask_code_panel(d), lanes_panel(d)}}, {1, {masks_panel(d)}, true, true}};
}

std::optional<Ask> paths_question(const Divergence& d) {
  Ask asked{"paths",
            fmt::format("{} {} {} {}", static_cast<int>(d.program.shape), static_cast<int>(d.program.condition),
                        d.program.split, d.program.body),
            path_options(d),
            {}};
  asked.hide = [](Panels& panels) {  // up to the branch
    auto* const lanes = picture_at<RasterPicture>(panels, 0, 1);
    auto* const masks = picture_at<TablePicture>(panels, 1, 0);
    if (lanes == nullptr || masks == nullptr) return;
    hide_spans(*lanes, 2);
    lanes->to = 8;  // the axis would end at the answer
    masks->rows.resize(std::min<std::size_t>(1, masks->rows.size()));
  };
  return asked;
}

constexpr Frame<Divergence, DivergenceStart> divergence_frame = {
    .subject = [](const Here& here) { return Divergence(here.input, here.shown<DivergenceBeat>()->more); },
    .stop = "warp",
    .values = divergence_values,
    .facts = divergence_facts,
    .complete = take_controls};

constexpr DivergenceBeat divergence_beats[] = {
    {.key = "mask", .panels = mask_panels, .more = {.shape = Shape::one_sided}},
    {.key = "paths", .panels = mask_panels, .question = paths_question},
    {.key = "cases",
     .panels = mask_panels,
     .more = {.shape = Shape::cases, .condition = Condition::every_nth, .split = 8}},
    {.key = "loop", .panels = mask_panels, .more = {.shape = Shape::loop, .split = 8}},
    {.key = "uniform",
     .panels = [](const Divergence& d) -> PanelRows {
       return {{1, {mask_code_panel(d), lanes_panel(d)}}, {1, {conditions_panel(d)}, true}};
     },
     .more = {.condition = Condition::by_warp}},
    {.key = "tasks", .panels = [](const Divergence& d) -> PanelRows {
       return {{1, {tasks_panel(d.input, divergence_name, tasks_of(d))}, true}, {1, {masks_panel(d)}}};
     }}};

}  // namespace

const Contents& divergence_lab() {
  static const BeatTable table(divergence_name, divergence_frame, divergence_beats);
  return table;
}

}  // namespace warpwalk::story

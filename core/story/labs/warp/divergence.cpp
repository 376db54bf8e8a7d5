// Lab: branches and loops in a warp, with the mask of active lanes.
#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab.h"
#include "core/story/labs/warp/mask_run.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view divergence_lab = "lab/divergence";
constexpr std::string_view divergence_words = "lab/divergence.word";
constexpr std::string_view shape_keys[] = {"one_sided", "two_sided", "cases", "loop"};
constexpr std::string_view condition_keys[] = {"first_lanes", "every_nth", "by_hash", "by_warp"};

using Shape = MaskProgram::Shape;
using Condition = MaskProgram::Condition;

struct Divergence {
  const SceneInput& input;
  ControlSet controls{input, divergence_lab};
  MaskProgram program;
  std::int64_t lane = 0;
  std::vector<MaskSegment> run;
  MaskCounts counts;

  Divergence(const SceneInput& in, std::string_view beat) : input(in) {
    std::vector<std::string> shapes, conditions;
    for (const std::string_view key : shape_keys) shapes.push_back(word(key));
    for (const std::string_view key : condition_keys) conditions.push_back(word(key));
    const std::size_t shape = beat == "mask" ? 0 : beat == "cases" ? 2 : beat == "loop" ? 3 : 1;
    program.shape = static_cast<Shape>(controls.choice("shape", std::move(shapes), shape, "example"));
    program.condition = static_cast<Condition>(controls.choice("condition", std::move(conditions),
                                                               beat == "cases"     ? 1
                                                               : beat == "uniform" ? 3
                                                                                   : 0,
                                                               "example"));
    program.split = static_cast<int>(
        controls.slider("split", steps_by(1, 32, 1), beat == "cases" || beat == "loop" ? 8 : 16, "example"));
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
  raster.control = fmt::format("{}.lane", divergence_lab);
  RasterGroup group;
  group.name = d.word("lanes");
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
  return {"", 3, std::move(raster)};
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
  return {"", 2, std::move(table)};
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

void set_picture(const Divergence& d, std::string_view beat, Stage& stage) {
  Panels panels;
  if (beat == "uniform")
    panels.rows = {{1, {conditions_panel(d)}, true}, {2, {lanes_panel(d)}}};
  else if (beat == "tasks")
    panels.rows = {{1, {tasks_panel(d.input, divergence_lab, tasks_of(d))}, true}, {1, {masks_panel(d)}}};
  else
    panels.rows = {{1, {lanes_panel(d), masks_panel(d)}}};
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

}  // namespace

std::vector<Beat> divergence_beats(const Trace&, const Walk&) {
  return {{"mask", 0}, {"paths", 0}, {"cases", 0}, {"loop", 0}, {"uniform", 0}, {"tasks", 0}};
}

Stage divergence(const SceneInput& input) {
  const std::vector<Beat> beats = divergence_beats(input.trace, input.walk);
  const std::string beat = beats[static_cast<std::size_t>(input.moment.value - 1)].key;
  Divergence d(input, beat);
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(input.narration, thing, n); };
  const Narration::Values values = {
      {"warp", count("instruction", d.counts.warp)},
      {"lanes", with_thousands(d.counts.lanes)},
      {"efficiency", fmt::format("{:.0f} %", d.counts.efficiency())},
      {"body", count("instruction", d.program.body)},
      {"split", fmt::to_string(d.program.split)},
      {"condition", d.word(condition_keys[static_cast<std::size_t>(d.program.condition)])},
      {"shape", d.word(shape_keys[static_cast<std::size_t>(d.program.shape)])}};
  Stage stage = common_stage(input, divergence_lab, beats, values, "warp");
  FactWriter facts(input, values, stage);
  facts.counted("warp", static_cast<std::size_t>(d.counts.warp));
  facts.counted("lanes", static_cast<std::size_t>(d.counts.lanes));
  facts.derived("efficiency", d.counts.efficiency(), Unit::percent);
  facts.counted("parts", d.run.size() - 2);
  counted_facts(input, CountedGroup::instructions, stage);
  set_picture(d, beat, stage);
  stage.controls = d.controls.take();
  if (beat == "paths") {
    Ask asked{"paths",
              fmt::format("{} {} {} {}", static_cast<int>(d.program.shape), static_cast<int>(d.program.condition),
                          d.program.split, d.program.body),
              path_options(d),
              {}};
    asked.hide = [](Panels& panels) {  // up to the branch
      auto* const lanes = picture_at<RasterPicture>(panels, 0, 0);
      auto* const masks = picture_at<TablePicture>(panels, 0, 1);
      if (lanes == nullptr || masks == nullptr) return;
      hide_spans(*lanes, 2);
      lanes->to = 8;  // the axis would end at the answer
      masks->rows.resize(std::min<std::size_t>(1, masks->rows.size()));
    };
    ask(input, values, asked, stage);
  }
  return stage;
}

}  // namespace warpwalk::story

// Lab: the levels of the memory, how large and how far away they are, and a pointer chase that finds them.
#include "core/story/labs/memory_hierarchy/memory_hierarchy.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/facts/launch/device_parameter.h"
#include "core/story/facts/words/ask.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {

Panel words_table(const MemoryLab& lab, std::string_view table_key, std::initializer_list<std::string_view> rows,
                  std::initializer_list<std::string_view> columns) {
  TablePicture table;
  for (const std::string_view column : columns)
    table.columns.push_back({lab.word(column), column == *columns.begin() ? 1.0 : 1.6, false, false, true});
  for (const std::string_view row : rows) {
    TableRow& line = table.rows.emplace_back();
    for (const std::string_view column : columns)
      line.cells.push_back(word_cell(
          column == *columns.begin() ? lab.word(row)
                                     : lab.input.narration.text(fmt::format("{}.{}", memory_hierarchy_name, table_key),
                                                                fmt::format("{}_{}", row, column)),
          column == *columns.begin() ? Tone::plain : Tone::quiet));
  }
  return {"", 1, std::move(table)};
}

namespace {

constexpr std::pair<double, std::string_view> size_ticks[] = {
    {1024.0, "1 KiB"},       {1024.0 * 32, "32 KiB"},       {1024.0 * 1024, "1 MiB"},       {1048576.0 * 32, "32 MiB"},
    {1073741824.0, "1 GiB"}, {1073741824.0 * 32, "32 GiB"}, {1073741824.0 * 256, "256 GiB"}};

ScatterAxis level_axis(std::string label, double to) {
  ScatterAxis axis = {std::move(label), 1024, to, true, {}};
  for (const auto& [at, text] : size_ticks)
    if (at <= to) axis.ticks.emplace_back(at, text);
  return axis;
}

// Size across, latency upwards, both logarithmic: a ladder of one point per level.
Panel ladder_panel(const MemoryLab& lab, double shown) {
  ScatterPicture picture;
  picture.across = level_axis(lab.word("size"), 1073741824.0 * 256);
  picture.up = {lab.word("latency"), 1, 1000, true, {}};
  for (const double tick : {1.0, 10.0, 100.0, 1000.0})
    picture.up.ticks.emplace_back(tick, with_marks(fmt::format("{:g}", tick)));
  picture.groups = {{lab.word("levels"), Tone::memory}};
  const auto count = static_cast<std::size_t>(std::ceil(shown * static_cast<double>(lab.levels.size())));
  for (std::size_t i = 0; i < count; ++i) {
    const MemoryLevel& level = lab.levels[i];
    if (i > 0)
      picture.lines.push_back(
          {{lab.levels[i - 1].bytes, lab.levels[i - 1].cycles}, {level.bytes, level.cycles}, {}, true});
    picture.points.push_back(
        {level.bytes, level.cycles, 0, lab.word(level.key),
         fmt::format("{}, {} cycles", bytes_text(level.bytes), with_thousands(std::llround(level.cycles))), true});
  }
  return {"", 1.4, std::move(picture)};
}

// The same figures with their sources.
Panel levels_panel(const MemoryLab& lab) {
  TablePicture table;
  table.columns = {
      {lab.word("level"), 2}, {lab.word("size"), 1.4, true}, {lab.word("cycles"), 1, true}, {"ns", 1, true}};
  for (const MemoryLevel& level : lab.levels)
    table.rows.push_back(
        {{word_cell(lab.word(level.key)), word_cell(bytes_text(level.bytes)), figure_cell(figure_of(*level.latency)),
          word_cell(fmt::format("{:.0f}", level.cycles / lab.clock_ghz()))},
         false});
  for (TableRow& row : table.rows) row.cells[1].code = row.cells[3].code = true;
  return {lab.device->name, 1, std::move(table)};
}

// Cycles per load against the size of the buffer, measured and simulated.
Panel chase_panel(const MemoryLab& lab, double shown) {
  ScatterPicture picture;
  const std::vector<records::ChasedBuffer>& chase = lab.input.hardware.chase;
  const double most = 1073741824.0 * 2;
  picture.across = level_axis(lab.word("buffer"), most);
  picture.across.ticks.back() = {most, "2 GiB"};
  constexpr double top = 800;
  picture.up = {lab.word("per_load"), 0, top, false, {}};
  for (double tick = 0; tick <= top; tick += 200)
    picture.up.ticks.emplace_back(tick, with_marks(fmt::format("{:g}", tick)));
  picture.groups = {
      {lab.word("measured"), Tone::work}, {lab.word("simulated"), Tone::memory}, {lab.word("chosen"), Tone::followed}};
  const gpu::Device* const gpu = lab.input.hardware.find(measured_gpu);
  for (const gpu::IntParameter* const size : {&gpu->l1_bytes, &gpu->l2_bytes})
    if (*size) {
      const auto at = static_cast<double>(**size);
      picture.lines.push_back({{at, 0}, {at, top}, lab.word(size == &gpu->l1_bytes ? "l1" : "l2"), true});
    }
  const auto count = static_cast<std::size_t>(std::ceil(shown * static_cast<double>(chase.size())));
  for (std::size_t i = 0; i < count; ++i) {
    const records::ChasedBuffer& one = chase[i];
    const std::string size = bytes_text(one.bytes);
    picture.points.push_back({one.bytes, one.measured, 0, size, fmt::format("{:.0f}", one.measured), false});
    if (one.simulated > 0)
      picture.points.push_back({one.bytes, one.simulated, 1, size, fmt::format("{:.0f}", one.simulated), false});
  }
  if (lab.chased != nullptr && lab.buffer < count)
    picture.points.push_back({lab.chased->bytes, lab.chased->measured, 2, bytes_text(lab.chased->bytes),
                              fmt::format("{:.0f}", lab.chased->measured), true});
  return {"", 1, std::move(picture)};
}

std::vector<Task> tasks_of(const MemoryLab& lab) {
  const records::ChasedBuffer none;
  const records::ChasedBuffer& at = lab.chased == nullptr ? none : *lab.chased;
  const gpu::Device* const gpu = lab.input.hardware.find(measured_gpu);
  const double l1 = MemoryLab::value(gpu->l1_bytes), l2 = MemoryLab::value(gpu->l2_bytes);
  return {{"first_miss", at.bytes >= l1 && at.bytes < 2 * l1 + 1},
          {"between", at.measured > 320 && at.measured < 650},
          {"small_l2", MemoryLab::value(lab.device->l2_bytes) > 0 && MemoryLab::value(lab.device->l2_bytes) < l2 / 4}};
}

// Of the last level, against L1.
double times_of_l1(const MemoryLab& lab) {
  const auto l1 = std::ranges::find(lab.levels, std::string("l1"), &MemoryLevel::key);
  return l1 == lab.levels.end() ? 1 : lab.levels.back().cycles / l1->cycles;
}

Narration::Values memory_lab_values(const MemoryLab& lab) {
  const MemoryLevel& last = lab.levels.back();
  const records::ChasedBuffer chased = lab.chased == nullptr ? records::ChasedBuffer{} : *lab.chased;
  return {{"gpu", lab.device->name},
          {"times", fmt::format("{:.0f}", times_of_l1(lab))},
          {"cycles", fmt::format("{:.0f}", last.cycles)},
          {"ns", fmt::format("{:.0f}", last.cycles / lab.clock_ghz())},
          {"buffer", bytes_text(chased.bytes)},
          {"measured", fmt::format("{:.0f}", chased.measured)}};
}

void level_facts(const MemoryLab& lab, FactWriter& facts) {
  // Registers have no access time of their own.
  for (const MemoryLevel& level : lab.levels)
    facts.named(lab.word(level.key == "registers" ? "registers_latency" : level.key), figure_of(*level.latency));
  facts.derived("times", with_marks(fmt::format("{:.1f}", times_of_l1(lab))));
}

void chase_facts(const MemoryLab& lab, FactWriter& facts) {
  if (lab.chased == nullptr) return facts.missing("chase");
  const auto loads = [&](double cycles, Origin origin) {
    return Figure::recorded(lab.word("loads", {{"n", with_marks(fmt::format("{:.1f}", cycles))}}), origin);
  };
  facts.derived("buffer", bytes_text(lab.chased->bytes));
  facts.fact("measured", loads(lab.chased->measured, Origin::measured));
  if (lab.chased->simulated > 0) facts.fact("simulated", loads(lab.chased->simulated, Origin::simulated));
}

double shown_of(const MemoryLab& lab) { return part(lab.input.moment.phase, 0.05, 0.9); }

std::optional<Ask> times_question(const MemoryLab& lab) {
  Ask asked{"times", lab.device->id, range_options(lab.input.narration, times_of_l1(lab), {2, 5, 10, 50}, ""), {}};
  asked.hide = [](Panels& left) {  // the sizes stay
    hide_values(left.rows[0].panels[0].picture);
    if (auto* const levels = picture_at<TablePicture>(left, 0, 1)) hide_columns(*levels, 2);
  };
  return asked;
}

constexpr Frame<MemoryLab> memory_lab_frame = {.subject = [](const Here& here) { return MemoryLab(here.input); },
                                               .stop = "memory",
                                               .values = memory_lab_values,
                                               .complete = take_controls};

constexpr BeatOf<MemoryLab> memory_beats[] = {
    {.key = "ladder",
     .facts = level_facts,
     .panels = [](const MemoryLab& lab) -> PanelRows {
       return {{1, {ladder_panel(lab, shown_of(lab)), levels_panel(lab)}}};
     },
     .controls = [](const MemoryLab&) -> ControlNames { return {"device"}; },
     .question = times_question},
    {.key = "chase",
     .section = [](const MemoryLab& lab) -> std::string { return lab.chased == nullptr ? "chase.none" : "chase"; },
     .facts = chase_facts,
     .panels = [](const MemoryLab& lab) -> PanelRows {
       return {{1, {chase_panel(lab, shown_of(lab))}}};
     },
     .controls = [](const MemoryLab&) -> ControlNames { return {"size"}; }},
    {.key = "scope",
     .facts = level_facts,
     .panels = [](const MemoryLab& lab) -> PanelRows {
       return {{1,
                {words_table(lab, "reader", {"registers", "shared", "l1", "l2", "memory"},
                             {"level", "who", "filled", "lives"})}}};
     },
     .controls = no_controls},
    {.key = "constant",
     .missing = read_only_missing,
     .values = constant_values,
     .facts = constant_facts,
     .panels = constant_panels,
     .controls = [](const MemoryLab&) -> ControlNames { return {"addresses"}; }},
    {.key = "texture",
     .missing = read_only_missing,
     .values = texture_values,
     .facts = texture_facts,
     .panels = texture_panels,
     .controls = no_controls},
    {.key = "names",
     .facts = level_facts,
     .panels = [](const MemoryLab& lab) -> PanelRows {
       return {
           {1,
            {words_table(lab, "meaning", {"global", "device", "vram", "hbm", "local"}, {"said", "means", "where"})}}};
     },
     .controls = no_controls},
    {.key = "tasks",
     .facts = chase_facts,
     .panels = [](const MemoryLab& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, memory_hierarchy_name, tasks_of(lab))}}, {1, {chase_panel(lab, 1)}}};
     },
     .controls = [](const MemoryLab&) -> ControlNames {
       return {"device", "size"};
     }}};

}  // namespace

const Contents& memory_hierarchy_lab() {
  static const BeatTable table(memory_hierarchy_name, memory_lab_frame, memory_beats);
  return table;
}

}  // namespace warpwalk::story

#include "app/pages/observe/observe_panel.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "app/pages/observe/observe_chart.h"
#include "app/panels/sheet.h"
#include "core/run/replay/history.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;
using instrumentation::GpuHistory;
using instrumentation::GpuHistoryPoint;
using instrumentation::GpuSnapshot;

constexpr float observe_width = 1120, observe_height = 660;
constexpr float column_between = 40, facts_width = 330;
constexpr float observe_row_height = 26;
constexpr float notes_height = 88;
constexpr float lists_height = 26 + 4 * observe_row_height;  // processes, and beside them the memory of the walk

void paint_tagged(draw::Ui& ui, const Box& row, const GpuFact& fact) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.text_in({row.x, row.y, row.width / 2, row.height}, Style::label, theme.second, fact.label);
  const float middle = row.y + row.height / 2;
  if (!fact.figure) {
    canvas.text_in(row, Style::label, theme.second, ui.word("observe", "unavailable"), draw::Align::right);
    return;
  }
  const story::Origin origin = fact.figure->origin();
  const float tag =
      draw::paint_tag(canvas, row.right(), middle, theme.second, ui.word("origin", trace::name_of(origin)));
  canvas.text_in({row.x, row.y, row.width - tag - 12, row.height}, Style::mono_small, theme.text, fact.figure->text(),
                 draw::Align::right);
}

// The line above a strip: each figure with the colour of its curve, and their origin.
void paint_gpu_head(draw::Ui& ui, const Box& row, const std::vector<std::pair<const GpuFact*, ImU32>>& facts,
                    std::string_view more) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const float middle = row.y + row.height / 2;
  const float tag = draw::paint_tag(canvas, row.right(), middle, theme.second,
                                    ui.word("origin", trace::name_of(story::Origin::measured)));
  const float end = row.right() - tag - 12;
  float x = row.x;
  for (const auto& [fact, colour] : facts) {
    canvas.fill({x, middle - 5, 10, 10}, colour, 2);
    x += 18;
    x += canvas.text_in({x, row.y, end - x, row.height}, Style::label, theme.second, fact->label) + 10;
    x += canvas.text_in({x, row.y, end - x, row.height}, Style::mono, theme.text,
                        fact->figure ? fact->figure->text() : ui.word("observe", "unavailable")) +
         24;
  }
  if (!more.empty() && end > x)
    canvas.text_in({x - 12, row.y, end - x + 12, row.height}, Style::label, theme.second, more);
}

StripChart::Curve curve_of(const GpuHistory& gpu, ImU32 colour, bool filled,
                           const std::function<std::optional<double>(const GpuHistoryPoint&)>& value) {
  StripChart::Curve curve = {colour, {}, filled};
  for (const GpuHistoryPoint& point : gpu.points) curve.points.push_back({point.at, value(point)});
  return curve;
}

void paint_strips(draw::Ui& ui, const Box& box, const GpuHistory& gpu, double now, double reach, bool still) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const GpuHeads heads = gpu_heads(ui.words(), gpu.now);
  constexpr float head_height = 26, between = 14, times_height = 22;
  const float strip = (box.height - times_height - 2 * between) / 3 - head_height;
  float y = box.y;
  const auto next = [&](const std::vector<std::pair<const GpuFact*, ImU32>>& facts, std::string_view more,
                        StripChart chart) {
    paint_gpu_head(ui, {box.x + chart_gutter, y, box.width - chart_gutter, head_height - 4}, facts, more);
    chart.now = now;
    chart.reach = reach;
    chart.still = still;
    paint_chart(canvas, {box.x, y + head_height, box.width, strip}, chart);
    y += head_height + strip + between;
  };
  const auto number = [](const auto& value) -> std::optional<double> {
    if (!value) return {};
    return static_cast<double>(*value);
  };

  StripChart busy;
  busy.top = 100;
  busy.top_words = "100 %";
  busy.curves.push_back(curve_of(gpu, theme.done, true, [&](const GpuHistoryPoint& p) { return number(p.busy_pct); }));
  busy.curves.push_back(
      curve_of(gpu, theme.memory, false, [&](const GpuHistoryPoint& p) { return number(p.memory_busy_pct); }));
  next({{&heads.busy, theme.done}, {&heads.memory_busy, theme.memory}}, "", std::move(busy));

  StripChart used;
  used.top = static_cast<double>(std::max<std::uint64_t>(gpu.now.memory_total.value_or(1), 1));
  if (gpu.now.memory_total) used.top_words = story::bytes_text(used.top);
  used.curves.push_back(
      curve_of(gpu, theme.memory, true, [&](const GpuHistoryPoint& p) { return number(p.memory_used); }));
  next({{&heads.memory_used, theme.memory}},
       gpu.now.memory_total ? ui.word("observe", "of_total", {{"total", story::bytes_text(used.top)}}) : std::string(),
       std::move(used));

  // The scale ends above the limit, because a GPU briefly draws more.
  StripChart power;
  std::uint32_t maximum = gpu.now.power_limit_mw.value_or(1);
  for (const GpuHistoryPoint& point : gpu.points) maximum = std::max(maximum, point.power_mw.value_or(0));
  power.top = 1.1 * maximum;
  power.limit = number(gpu.now.power_limit_mw);
  if (gpu.now.power_mw) power.top_words = fmt::format("{:.0f} W", power.top / 1e3);
  power.curves.push_back(
      curve_of(gpu, theme.second, true, [&](const GpuHistoryPoint& p) { return number(p.power_mw); }));
  next({{&heads.power, theme.second}}, gpu.now.power_limit_mw ? ui.word("observe", "limit") : std::string(),
       std::move(power));

  const Box times = {box.x + chart_gutter, y - between + 4, box.width - chart_gutter, times_height};
  if (still) {
    canvas.text_in(times, Style::label, theme.second,
                   ui.word("observe", "still", {{"seconds", fmt::format("{:.0f} s", reach)}}));
    return;
  }
  canvas.text_in(times, Style::label, theme.second,
                 ui.word("observe", "ago", {{"seconds", fmt::format("{:.0f} s", reach)}}));
  canvas.text_in(times, Style::label, theme.second, ui.word("observe", "now"), draw::Align::right);
}

void paint_processes(draw::Ui& ui, const Box& box, const GpuHistory& gpu, std::size_t& first) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::vector<ProcessRow> rows = process_rows(gpu.now);
  const auto shown = static_cast<std::size_t>((box.height - observe_row_height) / observe_row_height);
  std::size_t down = 0, up = 0;
  for (const draw::KeyPress& press : ui.input().keys) {
    down += press.key == draw::Key::down;
    up += press.key == draw::Key::up;
  }
  const float wheel = ui.wheel(box);
  down += wheel < 0;
  up += wheel > 0;
  first = std::min(first + down, rows.size() - std::min(rows.size(), shown));
  first -= std::min(first, up);

  Box row = {box.x, box.y, box.width, observe_row_height};
  canvas.text_in(row, Style::small_caps, theme.second,
                 ui.word("observe", rows.size() > shown ? "processes.part" : "processes",
                         {{"from", fmt::format("{}", first + 1)},
                          {"to", fmt::format("{}", std::min(first + shown, rows.size()))},
                          {"of", fmt::format("{}", rows.size())}}));
  row.y += observe_row_height;
  if (rows.empty()) canvas.text_in(row, Style::label, theme.second, ui.word("observe", "processes.none"));
  for (std::size_t i = first; i < std::min(first + shown, rows.size()); ++i) {
    canvas.text_in({row.x, row.y, 90, row.height}, Style::mono_small, theme.second, fmt::format("{}", rows[i].pid));
    GpuFact fact = {"", rows[i].memory};
    paint_tagged(ui, {row.x + 90, row.y, row.width - 90, row.height}, fact);
    canvas.text_in({row.x + 90, row.y, row.width - 330, row.height}, Style::label,
                   rows[i].name.empty() ? theme.second : theme.text,
                   rows[i].name.empty() ? ui.word("observe", "process.unknown") : rows[i].name);
    row.y += observe_row_height;
  }
}

void paint_walk_memory(draw::Ui& ui, const Box& box, const WalkMemory& memory) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  Box row = {box.x, box.y, box.width, observe_row_height};
  canvas.text_in(row, Style::small_caps, theme.second, ui.word("observe", "walk.head"));
  row.y += observe_row_height;
  if (memory.allocated || memory.reserved) {
    paint_tagged(ui, row, {ui.word("observe", "allocated"), memory.allocated});
    row.y += observe_row_height;
    paint_tagged(ui, row, {ui.word("observe", "reserved"), memory.reserved});
    row.y += observe_row_height;
  }
  if (memory.taken) {
    paint_tagged(ui, row, {ui.word("observe", "taken"), memory.taken});
    row.y += observe_row_height;
  }
  canvas.paragraph({row.x, row.y + 3}, Style::label, theme.second, memory.words, row.width, 4);
}

// Draws notes on common misreadings side by side, a heading and a sentence each. Returns the height used.
float paint_notes(draw::Ui& ui, const Box& box) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  constexpr std::string_view notes[] = {"note.memory", "note.busy", "note.whose"};
  constexpr float between = 28;
  constexpr auto count = static_cast<float>(std::size(notes));
  const float width = (box.width - between * (count - 1)) / count;
  float x = box.x, height = 0;
  for (const std::string_view note : notes) {
    canvas.text({x, box.y}, Style::heading, theme.text, ui.word("observe", fmt::format("{}.head", note)), width);
    height = std::max(
        height, canvas.paragraph({x, box.y + 26}, Style::label, theme.second, ui.word("observe", note), width, 5) + 26);
    x += width + between;
  }
  return height;
}

// No GPU to show: gives the reason and what the panel would show.
void paint_nothing(draw::Ui& ui, const GpuSnapshot& watch) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const Box box = panels::sheet(ui, 880, 200, ui.word("observe", "heading"), ui.word("observe", "closing"));
  canvas.text(
      {box.x, box.y}, Style::body, theme.text,
      watch.error.empty() ? ui.word("observe", "asking") : ui.word("observe", "nothing", {{"reason", watch.error}}),
      box.width);
  const float height =
      canvas.paragraph({box.x, box.y + 34}, Style::label, theme.second, ui.word("observe", "promise"), box.width, 4);
  paint_notes(ui, {box.x, box.y + 34 + height + 28, box.width, notes_height});
}

// One tab per GPU, with its utilisation; returns the selected one.
std::size_t choose_gpu(draw::Ui& ui, const Box& row, const GpuSnapshot& watch, std::size_t at) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::size_t last = watch.gpus.size() - 1;
  for (const draw::KeyPress& press : ui.input().keys) {
    if (press.key == draw::Key::right && at < last) ++at;
    if (press.key == draw::Key::left && at > 0) --at;
    if (press.key == draw::Key::home) at = 0;
    if (press.key == draw::Key::end) at = last;
  }
  const float width = std::min(180.0f, (row.width + 6) / static_cast<float>(watch.gpus.size()));
  const auto place_of = [&](std::size_t i) {
    return Box{row.x + width * static_cast<float>(i), row.y, width - 6, row.height};
  };
  for (std::size_t i = 0; i <= last; ++i)
    if (ui.hovered(place_of(i)) && ui.input().mouse_pressed) at = i;
  for (std::size_t i = 0; i <= last; ++i) {
    const Box place = place_of(i);
    const bool lit = i == at || ui.hovered(place);
    const auto& busy = watch.gpus[i].now.busy_pct;
    if (lit) canvas.fill(place, draw::mixed(theme.second, theme.panel, i == at ? 0.28f : 0.16f), 6);
    canvas.outline(place, i == at ? theme.second : theme.line, 6, theme.hairline);
    canvas.text_in(place, Style::label, lit ? theme.text : theme.second,
                   ui.word("observe", busy ? "gpu.busy" : "gpu",
                           {{"n", fmt::format("{}", i)}, {"busy", fmt::format("{} %", busy.value_or(0))}}),
                   draw::Align::centre);
  }
  return at;
}

}  // namespace

void observe_panel(draw::Ui& ui, ObserveState& state, const GpuSnapshot& watch,
                   const instrumentation::NvmlSampler::Options& options, const WalkMemory& memory, bool still) {
  if (watch.gpus.empty()) {
    paint_nothing(ui, watch);
    return;
  }
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const Box box = panels::sheet(ui, observe_width, observe_height, ui.word("observe", "heading"),
                                ui.word("observe", watch.gpus.size() > 1 ? "closing.several" : "closing"));
  float y = box.y;
  if (watch.gpus.size() > 1) {
    const std::size_t before = state.gpu;
    state.gpu = choose_gpu(ui, {box.x, y, box.width, 32}, watch, std::min(state.gpu, watch.gpus.size() - 1));
    if (state.gpu != before) state.first_process = 0;
    y += 44;
  }
  state.gpu = std::min(state.gpu, watch.gpus.size() - 1);
  const GpuHistory& gpu = watch.gpus[state.gpu];
  const Box left = {box.x, y, box.width - facts_width - column_between, box.bottom() - y - notes_height - 20};
  const Box right = {left.right() + column_between, y, facts_width, left.height};

  const float upper = left.height - lists_height - 16;
  paint_strips(ui, {left.x, left.y, left.width, upper}, gpu, watch.at, static_cast<double>(options.history.count()),
               still);
  canvas.text({right.x, right.y}, Style::heading, theme.text, gpu.now.name, right.width);
  canvas.text({right.x, right.y + 26}, Style::label, theme.second,
              ui.word("observe", "sampling", {{"interval", fmt::format("{} ms", options.interval.count())}}),
              right.width);
  Box row = {right.x, right.y + 56, right.width, observe_row_height + 4};
  for (const GpuFact& fact : gpu_facts(ui.words(), gpu.now)) {
    paint_tagged(ui, row, fact);
    row.y += row.height;
  }

  const float lower = left.y + upper + 16;
  paint_processes(ui, {left.x, lower, left.width, lists_height}, gpu, state.first_process);
  paint_walk_memory(ui, {right.x, lower, right.width, lists_height}, memory);
  const float rule = box.bottom() - notes_height - 12;
  canvas.line({box.x, rule}, {box.right(), rule}, theme.line, theme.hairline);
  paint_notes(ui, {box.x, rule + 14, box.width, notes_height});
}

}  // namespace warpwalk::pages

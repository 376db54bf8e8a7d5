#include "app/pages/timeline/timeline_range.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/pages/timeline/timeline_facts.h"
#include "app/pages/timeline/timeline_times.h"
#include "core/analysis/slices.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/words/rows.h"

namespace warpwalk::pages {
namespace {

using analysis::RangeName;
using analysis::RangeOrder;
using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float sum_line_height = 22, narrow_tables = 860, table_gap = 32;

std::string share_of_range(std::int64_t part, std::int64_t whole) {
  const double share = 100 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole));
  return base::with_marks(part > 0 && share < 0.05 ? "< 0.1 %" : fmt::format("{:.1f} %", share));
}

// The columns of a table of names, from the left.
struct NameColumn {
  const char* key;  // of its heading, in [timeline]
  float width;
  std::optional<RangeOrder> order;  // what its heading orders by
};
std::vector<NameColumn> columns_of(bool cpu, float width) {
  std::vector<NameColumn> columns = {{"count", 72, RangeOrder::count}, {"time", 76, RangeOrder::time}};
  // Where there is no room, the time with nested calls is left out.
  if (cpu && width < 460) columns.pop_back();
  if (cpu) columns.push_back({"own", 76, RangeOrder::self});
  columns.push_back({"share", 72, {}});
  return columns;
}

std::string cell_text(const draw::Ui& ui, const RangeName& name, std::string_view key, bool cpu, std::int64_t length) {
  const bool waits = name.wait != analysis::CpuWait::none;  // its time is in the row of waits
  if (key == "count") return story::with_thousands(static_cast<std::int64_t>(name.count));
  if (key == "time") return duration_digits(name.time);
  if (key == "own") return waits ? ui.word("timeline", "waits") : duration_digits(name.self);
  return waits ? std::string() : share_of_range(cpu ? name.self : name.time, length);
}

// The row of the time in which threads waited, above the names; what they waited for is at the pointer.
void paint_waiting(draw::Ui& ui, const Box& line, float name_wide, const std::vector<NameColumn>& columns,
                   const analysis::RangeStatistics& range) {
  constexpr std::pair<analysis::CpuWait, const char*> kinds[] = {{analysis::CpuWait::sleep, "sleep"},
                                                                 {analysis::CpuWait::input, "input"},
                                                                 {analysis::CpuWait::lock, "lock"},
                                                                 {analysis::CpuWait::autograd, "autograd"}};
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  if (ui.hovered(line)) {
    canvas.fill(line, draw::mixed(theme.second, theme.ground, 0.12f), 3);
    std::string tip = ui.word("timeline", "waiting.tip");
    for (const auto& [wait, key] : kinds)
      if (range.waiting.of(wait) > 0)
        tip += "\n" + ui.word("timeline_wait", key, {{"time", duration_digits(range.waiting.of(wait))}});
    ui.tooltip(tip);
  }
  const Box swatch = {line.x, line.y + 6, 10, 10};
  canvas.fill(swatch, theme.second, 2);
  canvas.hatch(swatch, theme.ground);
  canvas.text_in({line.x + 18, line.y, name_wide - 24, line.height}, Style::label, theme.second,
                 ui.word("timeline", "waiting"));
  const std::int64_t total = range.waiting.total();
  float x = line.x + name_wide;
  for (const NameColumn& column : columns) {
    const std::string_view key = column.key;
    if (key == "own" || key == "share")
      canvas.text_in({x, line.y, column.width, line.height}, Style::mono_small, theme.second,
                     key == "own" ? duration_digits(total) : share_of_range(total, range.to - range.from),
                     Align::right);
    x += column.width;
  }
}

// One table of names.
void paint_names(draw::Ui& ui, const Box& box, const trace::Trace& trace, TimelineState& state, bool cpu) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::vector<RangeName>& names = cpu ? state.range->cpu : state.range->gpu;
  const std::int64_t length = state.range->to - state.range->from;
  const std::vector<NameColumn> columns = columns_of(cpu, box.width);
  const float table_wide = box.width - 8;  // beside it is the mark of scrolling
  float name_wide = table_wide;
  for (const NameColumn& column : columns) name_wide -= column.width;
  const std::string head =
      ui.word("timeline", cpu ? "cpu" : "gpu", {{"n", story::with_thousands(static_cast<std::int64_t>(names.size()))}});
  canvas.text_in({box.x, box.y, name_wide, sum_line_height}, Style::small_caps, theme.second, head);
  float x = box.x + name_wide;
  std::optional<RangeOrder> wanted;
  for (const NameColumn& column : columns) {
    const Box cell = {x, box.y, column.width, sum_line_height};
    const RangeOrder by = !cpu && state.panel.order == RangeOrder::self ? RangeOrder::time : state.panel.order;
    const bool over = column.order && ui.hovered(cell);
    canvas.text_in(cell, Style::small_caps, over || column.order == by ? theme.text : theme.second,
                   ui.word("timeline", column.key), Align::right);
    if (column.order && ui.activated(fmt::format("timeline.{}.{}", cpu ? "cpu" : "gpu", column.key), cell))
      wanted = column.order;
    x += column.width;
  }
  float y = box.y + sum_line_height;
  canvas.line({box.x, y}, {box.x + table_wide, y}, theme.line, theme.hairline);
  y += 2;
  if (cpu && state.range->waiting.total() > 0) {
    paint_waiting(ui, {box.x, y, table_wide, sum_line_height}, name_wide, columns, *state.range);
    y += sum_line_height;
  }
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.bottom() - y) / sum_line_height));
  const Box list = {box.x, y, box.width, sum_line_height * static_cast<float>(room)};
  std::size_t& first = cpu ? state.panel.cpu_first : state.panel.gpu_first;
  first = scrolled_to(ui, cpu ? "timeline.cpu" : "timeline.gpu", list, first, names.size(), room);
  if (names.empty())
    canvas.text_in({box.x, y, table_wide, sum_line_height}, Style::label, theme.second, ui.word("timeline", "nothing"));
  for (std::size_t i = first; i < std::min(names.size(), first + room); ++i, y += sum_line_height) {
    const RangeName& name = names[i];
    const Box line = {box.x, y, table_wide, sum_line_height};
    if (ui.hovered(line)) {
      canvas.fill(line, draw::mixed(theme.second, theme.ground, 0.12f), 3);
      ui.tooltip(trace.name(name.example));
    }
    canvas.fill({box.x, y + 6, 10, 10}, draw::colour_of(story::role_of(trace, name.example, {}), theme), 2);
    canvas.text_in({box.x + 18, y, name_wide - 24, sum_line_height}, Style::label, theme.text,
                   analysis::label_of(trace, name.example));
    ui.point({box.x, y, name_wide, sum_line_height}, trace.name(name.example));
    x = box.x + name_wide;
    for (const NameColumn& column : columns) {
      canvas.text_in({x, y, column.width, sum_line_height}, Style::mono_small, theme.text,
                     cell_text(ui, name, column.key, cpu, length), Align::right);
      x += column.width;
    }
  }
  paint_scroll_mark(canvas, list, first, names.size(), room);
  if (wanted) order_range(state, *wanted);
}

std::string range_head(const draw::Ui& ui, const analysis::RangeStatistics& range) {
  const std::int64_t length = range.to - range.from, fine = length / 1000 + 1;
  std::string head = ui.word("timeline", "range",
                             {{"length", duration_digits(length)},
                              {"from", point_text(range.from, fine)},
                              {"to", point_text(range.to, fine)}});
  for (const auto& [device, busy] : range.devices)
    head += ui.word("timeline", "busy",
                    {{"device", device == trace::absent ? std::string("?") : std::to_string(device)},
                     {"share", share_of_range(busy, length)}});
  return head;
}

}  // namespace

void order_range(TimelineState& state, RangeOrder order) {
  state.panel.order = order;
  state.panel.gpu_first = state.panel.cpu_first = 0;
  if (!state.range) return;
  analysis::order_names(state.range->gpu, order == RangeOrder::self ? RangeOrder::time : order);
  analysis::order_names(state.range->cpu, order);
}

void timeline_range(draw::Ui& ui, const Box& box, const Box& switches, const trace::Trace& trace,
                    TimelineState& state) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  if (!state.range) {
    canvas.paragraph({box.x, box.y}, Style::label, theme.second, ui.word("timeline", "no_range"), box.width, 3);
    return;
  }
  const std::string head = range_head(ui, *state.range);
  const float y = box.y + canvas.paragraph({box.x, box.y}, Style::label, theme.text, head, box.width, 2) + 6;
  if (box.width >= narrow_tables) {
    const float wide = (box.width - table_gap) / 2;
    paint_names(ui, {box.x, y, wide, box.bottom() - y}, trace, state, false);
    paint_names(ui, {box.x + wide + table_gap, y, wide, box.bottom() - y}, trace, state, true);
    return;
  }
  // Only one table fits.
  float x = switches.right();
  for (const bool cpu : {true, false}) {
    const std::string word = ui.word("timeline", cpu ? "table.cpu" : "table.gpu");
    const float wide = canvas.text_width(Style::label, word) + 20;
    x -= wide;
    if (ui.button(cpu ? "timeline.table.cpu" : "timeline.table.gpu", {x, switches.y, wide, 24}, word,
                  state.panel.cpu == cpu))
      state.panel.cpu = cpu;
    x -= 4;
  }
  paint_names(ui, {box.x, y, box.width, box.bottom() - y}, trace, state, state.panel.cpu);
}

std::optional<std::size_t> timeline_note_list(draw::Ui& ui, const Box& box, std::int64_t resolution,
                                              TimelineState& state) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  TimelineNotebook& book = state.notebook;
  float y = box.y;
  if (!book.problem.empty())
    y += canvas.paragraph({box.x, y}, Style::label, theme.launch, book.problem, box.width, 3) + 4;
  if (state.typing == TimelineTyping::note) {
    const std::string what = book.place.slice.empty() ? ui.word("timeline", "note_on_range",
                                                                {{"from", point_text(book.place.from, resolution)},
                                                                 {"to", point_text(book.place.to, resolution)}})
                                                      : ui.word("timeline", "note_on", {{"slice", book.place.slice}});
    y += canvas.paragraph({box.x, y}, Style::label, theme.second, what, box.width, 2) + 4;
    const Box field = {box.x, y, box.width, 30};
    draw::point_field(ui, "timeline.note", field, book.field);
    draw::paint_field(canvas, field, book.field, true, "");
    y += 36;
  }
  if (book.notes.empty()) {
    if (state.typing != TimelineTyping::note)
      canvas.paragraph({box.x, y}, Style::label, theme.second, ui.word("timeline", "no_notes"), box.width, 3);
    return {};
  }
  std::optional<std::size_t> chosen;
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.bottom() - y) / sum_line_height));
  const Box list = {box.x, y, box.width, sum_line_height * static_cast<float>(room)};
  book.row = std::min(book.row, book.notes.size() - 1);
  const std::size_t before = book.row;
  book.row = ui.list("timeline.notes", list, book.row, book.notes.size(), room, false);
  const std::size_t last = book.notes.size() > room ? book.notes.size() - room : 0;
  const auto turned = static_cast<std::ptrdiff_t>(book.first) - static_cast<std::ptrdiff_t>(3 * ui.wheel(list));
  book.first = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(turned, 0, static_cast<std::ptrdiff_t>(last)));
  if (book.row != before) book.first = std::clamp(book.first, book.row + 1 > room ? book.row + 1 - room : 0, book.row);
  const bool keys = ui.focus_shown("timeline.notes");
  if (keys)
    for (const draw::KeyPress& press : ui.input().keys)
      if (press.key == draw::Key::enter) chosen = book.row;
  for (std::size_t i = book.first; i < std::min(book.notes.size(), book.first + room); ++i, y += sum_line_height) {
    const TimelineNote& note = book.notes[i];
    const Box line = {box.x, y, box.width - 8, sum_line_height};
    const bool over = ui.hovered(line);
    if (over || (keys && i == book.row)) canvas.fill(line, draw::mixed(theme.second, theme.ground, 0.16f), 3);
    constexpr float time_wide = 130, inset = 8;  // from the outline of the focus
    canvas.text_in({line.x + inset, y, time_wide - 10, sum_line_height}, Style::mono_small, theme.second,
                   point_text(note.from, resolution));
    canvas.text_in({line.x + inset + time_wide, y, line.width - inset - time_wide, sum_line_height}, Style::label,
                   theme.text, note.slice.empty() ? note.text : fmt::format("{}  ({})", note.text, note.slice));
    if (over) ui.tooltip(note.slice.empty() ? note.text : note.text + "\n" + note.slice);
    if (over && ui.input().mouse_pressed) {
      book.row = i;
      chosen = i;
    }
  }
  paint_scroll_mark(canvas, list, book.first, book.notes.size(), room);
  return chosen;
}

}  // namespace warpwalk::pages

#include "app/pages/idle.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "app/panels/sheet.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/analysis/idle.h"
#include "core/story/facts/words/rows.h"
#include "core/story/facts/words/time_column.h"
#include "core/trace/link.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::IdleCause;
using story::IdleReport;

constexpr float idle_width = 1080, idle_height = 640, idle_row_height = 26, bar_height = 26;

// A part of the GPU's span.
struct Part {
  std::string word;
  std::int64_t time = 0;
  std::size_t gaps = 0;
  ImU32 colour = 0;
  bool idle = true;
};

ImU32 cause_colour(IdleCause cause, const draw::Theme& theme) {
  switch (cause) {
    case IdleCause::late_launch: return theme.launch;
    case IdleCause::latency: return draw::mixed(theme.launch, theme.ground, 0.5f);
    case IdleCause::synchronisation: return theme.barrier;
    case IdleCause::copy: return draw::mixed(theme.memory, theme.ground, 0.5f);
    case IdleCause::dependency: return theme.shared;
    case IdleCause::profiler: return theme.second;
    case IdleCause::unknown: break;
  }
  return theme.faint;
}

// Kernels, copies, then the causes by their time; parts without time are left out.
std::vector<Part> parts_of(const draw::Ui& ui, const IdleReport& report) {
  const draw::Theme& theme = ui.theme();
  std::vector<Part> parts = {{ui.word("idle", "computing"), report.computing, 0, theme.done, false},
                             {ui.word("idle", "copying"), report.copying, 0, theme.memory, false}};
  for (std::size_t i = 0; i < story::idle_causes; ++i) {
    const auto cause = static_cast<IdleCause>(i);
    parts.push_back(
        {story::cause_text(ui.words(), cause), report.time[i], report.counts[i], cause_colour(cause, theme)});
  }
  std::ranges::stable_sort(parts.begin() + 2, parts.end(), std::ranges::greater{}, &Part::time);
  std::erase_if(parts, [](const Part& part) { return part.time == 0; });
  return parts;
}

// The span as one bar, and what its colours mean. Returns the height used.
float paint_parts(draw::Ui& ui, const Box& box, const IdleReport& report) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::vector<Part> parts = parts_of(ui, report);
  const story::TimeColumn times(std::ranges::max_element(parts, {}, &Part::time)->time);
  float x = box.x;
  for (const Part& part : parts) {
    const float width =
        box.width * static_cast<float>(static_cast<double>(part.time) / static_cast<double>(report.span()));
    const Box bar = {x, box.y, std::max(0.5f, width - (width > 4 ? 1.0f : 0.0f)), bar_height};
    canvas.fill(bar, part.colour, 2);
    if (part.idle && bar.width >= 6) canvas.hatch(bar, theme.panel);  // not by colour alone: the GPU does nothing
    x += width;
  }
  float y = box.y + bar_height + 12;
  constexpr std::size_t columns = 3;
  const float wide = box.width / columns;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const float left = box.x + wide * static_cast<float>(i % columns);
    const Box swatch = {left, y + 4, 12, 12};
    canvas.fill(swatch, parts[i].colour, 2);
    if (parts[i].idle) canvas.hatch(swatch, theme.panel);
    const std::string time =
        fmt::format("{}  {}", times.text(parts[i].time), story::share_text(parts[i].time, report.span()));
    canvas.text_in({left + 18, y, wide - 190, 20}, Style::label, theme.text, parts[i].word);
    canvas.text_in({left + wide - 190, y, 166, 20}, Style::mono_small, theme.second, time, Align::right);
    if (parts[i].gaps > 0)
      ui.point({left, y, wide, 20}, ui.word("idle", "gaps", {{"n", std::to_string(parts[i].gaps)}}));
    if (i % columns == columns - 1 || i + 1 == parts.size()) y += 22;
  }
  return y - box.y;
}

struct Column {
  const char* key;
  float share;
  bool right = false;
};
constexpr Column columns[] = {{"length", 0.10f, true}, {"at", 0.11f, true}, {"cause", 0.19f},
                              {"op", 0.17f},           {"python", 0.25f},   {"seen", 0.18f}};

// The innermost frame with a line of a file: "train.py(12): step"; else the innermost frame.
trace::SliceId line_around(const trace::Trace& trace, trace::SliceId slice) {
  const trace::SliceId innermost = trace::enclosing(trace, slice, trace::SliceKind::python);
  for (trace::SliceId frame = innermost; frame != trace::no_slice;
       frame = trace::enclosing(trace, frame, trace::SliceKind::python))
    if (trace.name(frame).find(".py(") != std::string_view::npos) return frame;
  return innermost;
}

// The units of the table's columns.
struct Units {
  story::TimeColumn length, at;
};

std::vector<std::string> cells_of(const draw::Ui& ui, const trace::Trace& trace, const story::IdleGap& gap,
                                  const Units& units) {
  const trace::SliceId launch = trace::launch_of(trace, gap.work), op = trace::op_of(trace, gap.work);
  const trace::SliceId frame = launch == trace::no_slice ? launch : line_around(trace, launch);
  const auto name = [&](trace::SliceId slice) {
    return slice == trace::no_slice ? ui.word("idle", "not_recorded") : story::label_of(trace, slice);
  };
  return {units.length.text(gap.length()),
          units.at.text(story::since_start(trace, gap.from)),
          story::cause_text(ui.words(), gap.cause),
          op == trace::no_slice ? story::label_of(trace, gap.work) : story::label_of(trace, op),
          name(frame),
          name(gap.seen_in)};
}

}  // namespace

std::optional<story::IdleGap> idle(draw::Ui& ui, const trace::Trace& trace, const std::vector<IdleReport>& reports,
                                   IdleState& state) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const Box box = panels::sheet(ui, idle_width, idle_height, ui.word("idle", "heading"), ui.word("idle", "closing"));
  if (reports.empty()) {
    canvas.paragraph({box.x, box.y}, Style::body, theme.text, ui.word("idle", "none"), box.width, 4);
    return {};
  }
  for (const draw::KeyPress& press : ui.input().keys) {
    const std::size_t by = press.key == draw::Key::right ? 1 : press.key == draw::Key::left ? reports.size() - 1 : 0;
    if (by > 0) state = {(state.device + by) % reports.size(), 0};
  }
  state.device = std::min(state.device, reports.size() - 1);
  const IdleReport& report = reports[state.device];
  float y = box.y;
  if (reports.size() > 1) {
    canvas.text(
        {box.x, y}, Style::label, theme.second,
        ui.word("idle", "device", {{"n", std::to_string(report.device)}, {"count", std::to_string(reports.size())}}),
        box.width);
    y += 24;
  }
  y +=
      canvas.paragraph({box.x, y}, Style::sentence, theme.text, story::verdict_text(ui.words(), report), box.width, 3) +
      14;
  y += paint_parts(ui, {box.x, y, box.width, 0}, report) + 12;

  std::vector<std::size_t> order(report.gaps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return report.gaps[i].length(); });
  if (order.empty()) {
    canvas.text({box.x, y}, Style::body, theme.second, ui.word("idle", "no_gaps"), box.width);
    return {};
  }
  const auto column_box = [&](std::size_t column, float top, float height) {
    float x = box.x;
    for (std::size_t c = 0; c < column; ++c) x += columns[c].share * box.width;
    return Box{x, top, columns[column].share * box.width - 14, height};
  };
  for (std::size_t c = 0; c < std::size(columns); ++c)
    canvas.text_in(column_box(c, y, 20), Style::small_caps, theme.second, ui.word("idle_column", columns[c].key),
                   columns[c].right ? Align::right : Align::left);
  y += 24;
  canvas.line({box.x, y}, {box.right(), y}, theme.line, theme.hairline);
  y += 4;
  const auto page = static_cast<std::size_t>(std::max(1.0f, (box.bottom() - y) / idle_row_height));
  const Box list = {box.x - 8, y, box.width + 16, idle_row_height * static_cast<float>(page)};
  state.cursor = ui.list("idle", list, std::min(state.cursor, order.size() - 1), order.size(), page, true);
  const Units units{story::TimeColumn(report.gaps[order.front()].length()),
                    story::TimeColumn(story::since_start(trace, report.to))};
  std::optional<story::IdleGap> chosen;
  const std::size_t first = state.cursor < page ? 0 : state.cursor + 1 - page;
  for (std::size_t row = first; row < std::min(order.size(), first + page); ++row, y += idle_row_height) {
    const story::IdleGap& gap = report.gaps[order[row]];
    const Box line = {box.x - 8, y, box.width + 16, idle_row_height - 2};
    if (row == state.cursor)
      canvas.fill(line, draw::mixed(theme.now, theme.ground, 0.16f), 4);
    else if (ui.hovered(line))
      canvas.fill(line, draw::mixed(theme.text, theme.ground, 0.08f), 4);
    const std::vector<std::string> cells = cells_of(ui, trace, gap, units);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      Box cell = column_box(c, y, idle_row_height - 2);
      const bool cause = std::string_view(columns[c].key) == "cause";
      if (cause) {
        canvas.fill({cell.x, cell.y + 7, 10, 10}, cause_colour(gap.cause, theme), 2);
        cell.x += 16;
        cell.width -= 16;
      }
      canvas.text_in(cell, columns[c].right ? Style::mono_small : Style::label, theme.text, cells[c],
                     columns[c].right ? Align::right : Align::left);
      if (canvas.text_width(Style::label, cells[c]) > cell.width && ui.hovered(cell)) ui.tooltip(cells[c]);
    }
    if (ui.hovered(line) && ui.input().mouse_pressed) {
      state.cursor = row;
      chosen = gap;
    }
  }
  for (const draw::KeyPress& press : ui.input().keys)
    if (press.key == draw::Key::enter) chosen = report.gaps[order[state.cursor]];
  return chosen;
}

void IdlePage::paint(draw::Ui& ui) {
  const document::Document& document = *opened().document;
  if (const auto gap = idle(ui, document.trace(), document.outline.idle, state_)) go_to(*gap);
}

// To the launch that ended a gap, with the gap in the middle of the strip. If it launched a kernel, that is followed.
void IdlePage::go_to(const story::IdleGap& gap) {
  const trace::Trace& trace = opened().document->trace();
  program().close_page();
  if (trace.slices.kind[gap.work] == trace::SliceKind::kernel) program().follow(gap.work);
  const trace::SliceId launch = trace::launch_of(trace, gap.work);
  const std::int64_t moment = launch == trace::no_slice ? gap.to : trace.slices.start[launch];
  document::View view = opened().view;
  view.scene = "boardroom";
  view.moment = {story::Moment::Kind::time, moment - trace.begin_ns, 1};
  program().go(view);
  panels::StripState& strip = context().strip;
  const auto beside = 0.5 * static_cast<double>(gap.length());
  strip.from = std::max(0.0, static_cast<double>(gap.from - trace.begin_ns) - beside);
  strip.to = std::min(static_cast<double>(trace.end_ns - trace.begin_ns),
                      static_cast<double>(gap.to - trace.begin_ns) + beside);
}

}  // namespace warpwalk::pages

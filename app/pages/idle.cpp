#include "app/pages/idle.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "app/document/compiled_parts.h"
#include "app/document/document.h"
#include "app/panels/sheet.h"
#include "core/analysis/slices.h"
#include "core/analysis/time/idle.h"
#include "core/story/elements/figure.h"
#include "core/trace/link.h"
#include "core/words/idle_text.h"
#include "core/words/time_column.h"

namespace warpwalk::pages {
namespace {

using analysis::IdleCause;
using analysis::IdleReport;
using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float idle_width = 1080, idle_height = 640, idle_row_height = 26, idle_bar_height = 26;

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
    case IdleCause::restart: return draw::mixed(theme.barrier, theme.ground, 0.5f);
    case IdleCause::blocked: return theme.host;
    case IdleCause::loading: return draw::mixed(theme.second, theme.ground, 0.5f);
    case IdleCause::allocation: return draw::mixed(theme.host, theme.ground, 0.5f);
    case IdleCause::communication: return draw::mixed(theme.shared, theme.ground, 0.5f);
    case IdleCause::copy: return draw::mixed(theme.memory, theme.ground, 0.5f);
    case IdleCause::pageable: return draw::mixed(theme.memory, theme.ground, 0.3f);
    case IdleCause::dependency: return theme.shared;
    case IdleCause::profiler: return theme.second;
    case IdleCause::between: return draw::mixed(theme.done, theme.ground, 0.5f);
    case IdleCause::unrecorded:
    case IdleCause::unknown: break;
  }
  return theme.faint;
}

// The work that ended a gap, and if a compiler made it, the line that it computes most of.
std::string label_with_parts(const document::Document& document, trace::SliceId work, trace::SliceId op) {
  const trace::Trace& trace = document.trace();
  std::string label = analysis::label_of(trace, op == trace::no_slice ? work : op);
  const analysis::KernelParts parts_of_kernel = document::parts_of_compiled(document.compiled);
  if (!parts_of_kernel) return label;
  const std::vector<analysis::KernelPart> parts = parts_of_kernel(trace.name(work));
  if (parts.empty()) return label;
  return fmt::format("{} ({:.0f} % {})", label, 100 * parts.front().share, parts.front().row);
}

// Kernels, copies, then the causes by their time; parts without time are left out.
std::vector<Part> parts_of(const draw::Ui& ui, const IdleReport& report) {
  const draw::Theme& theme = ui.theme();
  std::vector<Part> parts = {{ui.word("idle", "computing"), report.computing, 0, theme.done, false},
                             {ui.word("idle", "communicating"), report.communicating, 0, theme.shared, false},
                             {ui.word("idle", "copying"), report.copying, 0, theme.memory, false}};
  for (std::size_t i = 0; i < analysis::idle_causes; ++i) {
    const auto cause = static_cast<IdleCause>(i);
    parts.push_back(
        {words::cause_text(ui.words(), cause), report.time[i], report.counts[i], cause_colour(cause, theme)});
  }
  std::ranges::stable_sort(parts.begin() + 3, parts.end(), std::ranges::greater{}, &Part::time);
  std::erase_if(parts, [](const Part& part) { return part.time == 0; });
  return parts;
}

// The span as one bar, and what its colours mean. Returns the height used.
float paint_parts(draw::Ui& ui, const Box& box, const IdleReport& report) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::vector<Part> parts = parts_of(ui, report);
  const words::TimeColumn times(std::ranges::max_element(parts, {}, &Part::time)->time);
  float x = box.x;
  for (const Part& part : parts) {
    const float width =
        box.width * static_cast<float>(static_cast<double>(part.time) / static_cast<double>(report.span()));
    const Box bar = {x, box.y, std::max(0.5f, width - (width > 4 ? 1.0f : 0.0f)), idle_bar_height};
    canvas.fill(bar, part.colour, 2);
    if (part.idle && bar.width >= 6) canvas.hatch(bar, theme.panel);  // not by colour alone: the GPU does nothing
    x += width;
  }
  float y = box.y + idle_bar_height + 12;
  constexpr std::size_t columns = 3;
  constexpr float gap = 24, swatch_room = 18;
  const float wide = (box.width - gap * (columns - 1)) / columns;
  std::vector<std::string> shares;
  for (const Part& part : parts) shares.push_back(story::share_text(part.time, report.span()));
  float time_room = 0, share_room = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    time_room = std::max(time_room, canvas.text_width(Style::mono_small, times.text(parts[i].time)));
    share_room = std::max(share_room, canvas.text_width(Style::mono_small, shares[i]) + 12);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const float left = box.x + (wide + gap) * static_cast<float>(i % columns), right = left + wide;
    const Box swatch = {left, y + 4, 12, 12};
    canvas.fill(swatch, parts[i].colour, 2);
    if (parts[i].idle) canvas.hatch(swatch, theme.panel);
    const Box word = {left + swatch_room, y, wide - swatch_room - time_room - share_room - 8, 20};
    canvas.text_in(word, Style::label, theme.text, parts[i].word);
    if (ui.hovered(word) && canvas.text_width(Style::label, parts[i].word) > word.width) ui.tooltip(parts[i].word);
    canvas.text_in({right - share_room - time_room, y, time_room, 20}, Style::mono_small, theme.second,
                   times.text(parts[i].time), Align::right);
    canvas.text_in({right - share_room, y, share_room, 20}, Style::mono_small, theme.second, shares[i], Align::right);
    if (parts[i].gaps > 0)
      ui.point({left, y, wide, 20}, ui.word("idle", "gaps", {{"n", std::to_string(parts[i].gaps)}}));
    if (i % columns == columns - 1 || i + 1 == parts.size()) y += 22;
  }
  return y - box.y;
}

struct IdleColumn {
  const char* key;
  float share;
  bool right = false;
};
constexpr IdleColumn gap_columns[] = {{"length", 0.09f, true}, {"at", 0.10f, true}, {"split", 0.13f},
                                      {"cause", 0.20f},        {"op", 0.17f},       {"meanwhile", 0.31f}};
constexpr IdleColumn line_columns[] = {
    {"length", 0.10f, true}, {"share", 0.09f, true}, {"cause", 0.24f}, {"line", 0.57f}};

// Places and paints the cells of a row.
class RowPainter {
 public:
  RowPainter(draw::Ui& ui, std::span<const IdleColumn> columns, const Box& list)
      : ui_(ui), columns_(columns), list_(list) {}

  Box cell(std::size_t column, float top, float height) const {
    float x = list_.x;
    for (std::size_t c = 0; c < column; ++c) x += columns_[c].share * list_.width;
    return {x, top, columns_[column].share * list_.width - 14, height};
  }
  void heads(float top) {
    Canvas& canvas = ui_.canvas();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      canvas.text_in(cell(c, top, 20), Style::small_caps, canvas.theme().second,
                     ui_.word("idle_column", columns_[c].key), columns_[c].right ? Align::right : Align::left);
    canvas.line({list_.x, top + 24}, {list_.right(), top + 24}, canvas.theme().line, canvas.theme().hairline);
  }
  void text(std::size_t column, float top, const std::string& text) {
    Canvas& canvas = ui_.canvas();
    const Box box = cell(column, top, idle_row_height - 2);
    const Style style = columns_[column].right ? Style::mono_small : Style::label;
    canvas.text_in(box, style, canvas.theme().text, text, columns_[column].right ? Align::right : Align::left);
    if (canvas.text_width(style, text) > box.width && ui_.hovered(box)) ui_.tooltip(text);
  }
  void cause(std::size_t column, float top, IdleCause cause) {
    Canvas& canvas = ui_.canvas();
    Box box = cell(column, top, idle_row_height - 2);
    canvas.fill({box.x, box.y + 7, 10, 10}, cause_colour(cause, canvas.theme()), 2);
    box.x += 16;
    box.width -= 16;
    canvas.text_in(box, Style::label, canvas.theme().text, words::cause_text(ui_.words(), cause));
  }
  // The parts of a gap, in their order.
  void parts(std::size_t column, float top, std::span<const analysis::IdlePart> parts, std::int64_t length) {
    Canvas& canvas = ui_.canvas();
    const Box box = cell(column, top + 7, 10);
    float x = box.x;
    for (const analysis::IdlePart& part : parts) {
      const float width =
          box.width * static_cast<float>(static_cast<double>(part.length()) / static_cast<double>(length));
      canvas.fill({x, box.y, std::max(0.5f, width), box.height}, cause_colour(part.cause, canvas.theme()));
      x += width;
    }
    const Box row = cell(column, top, idle_row_height - 2);
    if (ui_.hovered(row)) ui_.tooltip(words_of(parts, length));
  }

 private:
  std::string words_of(std::span<const analysis::IdlePart> parts, std::int64_t length) const {
    std::array<std::int64_t, analysis::idle_causes> time{};
    for (const analysis::IdlePart& part : parts) time[static_cast<std::size_t>(part.cause)] += part.length();
    std::string words;
    for (std::size_t i = 0; i < time.size(); ++i)
      if (time[i] > 0)
        words += fmt::format("{}{}: {} ({})", words.empty() ? "" : "\n",
                             words::cause_text(ui_.words(), static_cast<IdleCause>(i)),
                             story::time_text(static_cast<double>(time[i])), story::share_text(time[i], length));
    return words;
  }

  draw::Ui& ui_;
  std::span<const IdleColumn> columns_;
  Box list_;
};

// "train.py(12): step  86.0 %": where the CPU was for most of a gap.
std::string meanwhile(const draw::Ui& ui, const trace::Trace& trace, const analysis::CodePlaces& places,
                      std::span<const analysis::IdlePart> parts, std::int64_t length) {
  const std::vector<analysis::IdleLine> lines = analysis::idle_lines(trace, places, parts, 1);
  if (lines.empty()) return {};
  return fmt::format("{}  {}", lines.front().line.empty() ? ui.word("idle", "not_recorded") : lines.front().line,
                     story::share_text(lines.front().time, length));
}

}  // namespace

void IdlePage::document_changed() {
  device_ = cursor_ = 0;
  by_line_ = false;
  places_.reset();
  lists_.reset();
}

void IdlePage::choose_device(const draw::Ui& ui) {
  const std::vector<IdleReport>& reports = opened().document->outline.idle;
  for (const draw::KeyPress& press : ui.input().keys) {
    const std::size_t by = press.key == draw::Key::right ? 1 : press.key == draw::Key::left ? reports.size() - 1 : 0;
    if (by > 0) device_ = (device_ + by) % reports.size();
    if (press.key == draw::Key::tab) by_line_ = !by_line_;
    if (by > 0 || press.key == draw::Key::tab) cursor_ = 0;
  }
  if (lists_ && lists_->device == device_) return;
  const trace::Trace& trace = opened().document->trace();
  const IdleReport& report = reports[device_];
  if (!places_) places_.emplace(trace);
  Lists& lists = lists_.emplace();
  lists.device = device_;
  constexpr std::size_t most_lines = 200;
  analysis::IdleLines found = analysis::idle_lines_and_culprit(trace, *places_, report, most_lines);
  lists.lines = std::move(found.lines);
  lists.verdict = words::verdict_text(ui.words(), report) + words::culprit_text(ui.words(), report, found.culprit) +
                  words::slowing_text(ui.words(), trace) + words::doubt_text(ui.words(), trace);
  lists.gaps.resize(report.gaps.size());
  std::iota(lists.gaps.begin(), lists.gaps.end(), std::size_t{0});
  std::ranges::stable_sort(lists.gaps, std::ranges::greater{}, [&](std::size_t i) { return report.gaps[i].length(); });
}

void IdlePage::paint_list(draw::Ui& ui, const Box& box) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const trace::Trace& trace = opened().document->trace();
  const IdleReport& report = opened().document->outline.idle[device_];
  const std::size_t count = by_line_ ? lists_->lines.size() : lists_->gaps.size();
  if (count == 0) {
    canvas.text({box.x, box.y}, Style::body, theme.second, ui.word("idle", "no_gaps"), box.width);
    return;
  }
  RowPainter row(ui, by_line_ ? std::span<const IdleColumn>(line_columns) : std::span<const IdleColumn>(gap_columns),
                 box);
  row.heads(box.y);
  float y = box.y + 28;
  const auto page = static_cast<std::size_t>(std::max(1.0f, (box.bottom() - y) / idle_row_height));
  const Box list = {box.x - 8, y, box.width + 16, idle_row_height * static_cast<float>(page)};
  cursor_ = ui.list("idle", list, std::min(cursor_, count - 1), count, page, true);
  const std::int64_t longest = by_line_ ? lists_->lines.front().time : report.gaps[lists_->gaps.front()].length();
  const words::TimeColumn lengths(longest), moments(analysis::since_start(trace, report.to));
  std::optional<std::size_t> chosen;
  const std::size_t first = cursor_ < page ? 0 : cursor_ + 1 - page;
  for (std::size_t i = first; i < std::min(count, first + page); ++i, y += idle_row_height) {
    const Box line = {box.x - 8, y, box.width + 16, idle_row_height - 2};
    if (i == cursor_)
      canvas.fill(line, draw::mixed(theme.now, theme.ground, 0.16f), 4);
    else if (ui.hovered(line))
      canvas.fill(line, draw::mixed(theme.text, theme.ground, 0.08f), 4);
    if (by_line_) {
      const analysis::IdleLine& one = lists_->lines[i];
      row.text(0, y, lengths.text(one.time));
      row.text(1, y, story::share_text(one.time, report.idle()));
      row.cause(2, y, one.cause);
      row.text(3, y, one.line.empty() ? ui.word("idle", "not_recorded") : one.line);
    } else {
      const analysis::IdleGap& gap = report.gaps[lists_->gaps[i]];
      const auto parts = report.parts_of(gap);
      const trace::SliceId op = trace::op_of(trace, gap.work);
      row.text(0, y, lengths.text(gap.length()));
      row.text(1, y, moments.text(analysis::since_start(trace, gap.from)));
      row.parts(2, y, parts, gap.length());
      row.cause(3, y, gap.cause);
      row.text(4, y, label_with_parts(*opened().document, gap.work, op));
      row.text(5, y, meanwhile(ui, trace, *places_, parts, gap.length()));
    }
    if (ui.hovered(line) && ui.input().mouse_pressed) chosen = cursor_ = i;
  }
  for (const draw::KeyPress& press : ui.input().keys)
    if (press.key == draw::Key::enter) chosen = cursor_;
  if (!chosen) return;
  if (by_line_)
    go_to(lists_->lines[*chosen]);
  else
    go_to(report.gaps[lists_->gaps[*chosen]]);
}

void IdlePage::paint(draw::Ui& ui) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::vector<IdleReport>& reports = opened().document->outline.idle;
  const char* const closing = reports.empty() ? "closing_none" : by_line_ ? "closing_lines" : "closing";
  const Box box = panels::sheet(ui, idle_width, idle_height, ui.word("idle", "heading"), ui.word("idle", closing));
  if (reports.empty()) {
    canvas.paragraph({box.x, box.y}, Style::body, theme.text, ui.word("idle", "none"), box.width, 4);
    return;
  }
  choose_device(ui);
  const IdleReport& report = reports[device_];
  float y = box.y;
  if (reports.size() > 1) {
    canvas.text(
        {box.x, y}, Style::label, theme.second,
        ui.word("idle", "device", {{"n", std::to_string(report.device)}, {"count", std::to_string(reports.size())}}),
        box.width);
    y += 24;
  }
  y += canvas.paragraph({box.x, y}, Style::sentence, theme.text, lists_->verdict, box.width, 5) + 14;
  y += paint_parts(ui, {box.x, y, box.width, 0}, report) + 12;
  paint_list(ui, {box.x, y, box.width, box.bottom() - y});
}

// To the launch that ended a gap, with the gap in the middle of the strip. If it launched a kernel, that is followed.
void IdlePage::go_to(const analysis::IdleGap& gap) {
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

// To the op, call or frame that stood longest on the line while the GPU was idle.
void IdlePage::go_to(const analysis::IdleLine& line) {
  if (line.seen_in == trace::no_slice) return;
  const trace::Trace& trace = opened().document->trace();
  program().close_page();
  document::View view = opened().view;
  view.scene = "boardroom";
  view.moment = {story::Moment::Kind::time, trace.slices.start[line.seen_in] - trace.begin_ns, 1};
  program().go(view);
}

}  // namespace warpwalk::pages

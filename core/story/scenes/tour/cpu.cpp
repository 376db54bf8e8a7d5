// Chapter 2 of the tour, first part: the call, the dispatcher, the memory of the result.
#include "core/story/scenes/tour/cpu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/analysis/time/idle_lines.h"
#include "core/story/elements/moment.h"
#include "core/story/facts/code/dispatched_call.h"
#include "core/story/facts/words/opening_line.h"

namespace warpwalk::story {

void draw_cpu(Plane& plane, const Tour& s, const PlaneBox& view) {
  plane.frame("cpu", world::cpu, Tone::host);
  plane.text("cpu name", {view.x + 16, view.y + 8, 90, 30}, s.word("cpu"), Plane::Type::heading, Plane::Align::left,
             Tone::quiet);
}

void draw_strip_of_sheets(Plane& plane, const Tour& s) {
  const PlaneBox& view = world::cpu_view;
  const auto opening = opening_line(s.trace(), s.walk());
  plane.text("code line", {view.x + 110, view.y + 12, 420, 44}, opening ? opening->text() : s.number.name(),
             Plane::Type::figure);
  const MatrixProduct& p = s.product;
  constexpr double high = 84, names = 190;
  const double scale = high / static_cast<double>(std::max(p.m + p.k, p.n + p.k));
  const double k = static_cast<double>(p.k) * scale + 2, m = static_cast<double>(p.m) * scale;
  const double n = static_cast<double>(p.n) * scale, right = view.right() - 16 - names, top = view.y + 14;
  const PlaneBox c = {right - n - 14, top + k + 3, n, m};
  draw_sheets(plane, s, {{c.x - k - 3, c.y, k, m}, {c.x, top, n, k}, c}, "");
  plane.text("sheet a name", {right, top + 2, names, 26}, s.word("sheet_a"));
  plane.text("sheet b name", {right, top + 30, names, 26}, s.word("sheet_b"));
  plane.text("sheet c name", {right, top + 58, names, 26}, s.word("sheet_c"));
}

SliceId op_after(const Tour& s) {
  const auto opening = opening_line(s.trace(), s.walk());
  if (!opening || opening->second == no_slice || s.walk().ops.empty()) return no_slice;
  return opening->second == s.walk().ops.front() ? no_slice : opening->second;
}

std::string byte_count(const Tour& s, std::int64_t bytes) { return s.word("bytes", {{"n", with_thousands(bytes)}}); }

namespace {

// --- The CPU's time from the call of the op on.

struct TimeAxis {
  double from = 0, to = 1;  // ns
  double left = world::cpu_view.x + 24, wide = world::cpu_view.width - 60;

  double at(std::int64_t time) const { return left + wide * (static_cast<double>(time) - from) / (to - from); }
};

TimeAxis op_axis(const Tour& s) {
  const auto& rows = s.trace().slices;
  const std::int64_t end = std::max(rows.end(s.walk().ops.front()), s.receipt.launch_end);
  const auto from = static_cast<double>(s.receipt.op_start);
  return {from, from + 1.02 * static_cast<double>(end - s.receipt.op_start)};
}

std::string tick_text(double ns) {
  constexpr double microsecond = 1000;
  return ns < microsecond ? time_text(ns) : fmt::format("{} µs", with_thousands(std::llround(ns / microsecond)));
}

// The axis from 0 on with its ticks, as far as the time has run.
void draw_axis(Plane& plane, const TimeAxis& axis, double y, double ran) {
  plane.line("time axis", axis.left, y, axis.left + axis.wide * ran, y, Tone::host);
  double step = std::pow(10, std::floor(std::log10((axis.to - axis.from) / 3)));
  while ((axis.to - axis.from) / step > 6) step *= step * 5 <= (axis.to - axis.from) / 3 * 5 ? 2.5 : 2;
  for (int i = 0; static_cast<double>(i) * step <= (axis.to - axis.from) * std::min(ran, 0.94); ++i) {
    const double x = axis.left + axis.wide * static_cast<double>(i) * step / (axis.to - axis.from);
    plane.line(fmt::format("tick {}", i), x, y, x, y + 7, Tone::host);
    plane.text(fmt::format("tick {} name", i), {i == 0 ? x : x - 50, y + 9, i == 0 ? 60.0 : 100.0, 24},
               i == 0 ? "0" : tick_text(static_cast<double>(i) * step), Plane::Type::label,
               i == 0 ? Plane::Align::left : Plane::Align::centre, Tone::quiet);
  }
}

std::string op_name(const Tour& s, std::size_t index) { return std::string(s.trace().name(s.walk().ops[index])); }

bool stacks_recorded(const Tour& s) {
  const auto options = analysis::slowing_options(s.trace());
  return std::ranges::find(options, "with_stack") != options.end();
}

// --- Step 4: what the dispatcher does with a call.

std::vector<std::size_t> dispatched_ops(const Tour& s) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < s.walk().ops.size(); ++i)
    if (call_kind(op_name(s, i)) == CallKind::op) found.push_back(i);
  // The outermost and the innermost one.
  if (found.size() > 2) found.erase(found.begin() + 1, found.end() - 1);
  return found;
}

std::string layout_word(const Tour& s, const Call& call) {
  return s.word(call.recorded.layout == KeyLayout::strided ? "layout_strided" : "layout_unknown");
}

std::string autograd_word(const Tour& s, const Call& call) {
  return s.word(call.recorded.mode == KeyMode::grad || call.recorded.mode == KeyMode::autocast ? "autograd_on"
                                                                                               : "autograd_off");
}

std::string device_word(const Tour& s, const Call& call) {
  return s.word(call.recorded.backend == KeyBackend::cuda ? "device_cuda" : "device_unknown");
}

std::string effect_word(const Tour& s, const Call& call, const KeyRow& row, std::string_view callee) {
  switch (row.effect) {
    case KeyEffect::composite: return s.word("key_calls", {{"callee", std::string(callee)}});
    case KeyEffect::kernel:
      if (!row.function.empty()) return s.word("key_function", {{"function", row.function}});
      return s.word(is_registered_by_program(call, s.trace()) ? "key_own" : "key_ends");
    case KeyEffect::records: return s.word("key_autograd");
    case KeyEffect::casts: return s.word("key_casts");
    default: return s.word("key_calls_on");
  }
}

// The rows that are called, and of the others those that stand for another device.
std::vector<KeyRow> shown_rows(std::vector<KeyRow> rows, std::size_t most) {
  const auto weight = [](const KeyRow& row) {
    return row.turn > 0 ? 0 : row.key == "CPU" || row.key == "CUDA" ? 1 : row.key.starts_with("Autograd") ? 2 : 3;
  };
  std::vector<KeyRow> wanted = rows;
  std::ranges::stable_sort(wanted, {}, weight);
  wanted.resize(std::min(wanted.size(), most));
  std::erase_if(rows,
                [&](const KeyRow& row) { return std::ranges::find(wanted, row.key, &KeyRow::key) == wanted.end(); });
  return rows;
}

// A call: what its inputs say, and the rows of its table. `lit`: how far the dispatcher has gone through them.
void draw_call(Plane& plane, const Tour& s, std::size_t index, std::string_view callee, const PlaneBox& at, double lit,
               bool open) {
  const Call call = call_at(s.trace(), s.walk(), index);
  const std::string id = fmt::format("call {}", index);
  plane.frame(id, at, Tone::host);
  plane.text(id + " name", {at.x + 12, at.y + 4, at.width - 24, 30}, op_name(s, index), Plane::Type::heading);
  const std::array<std::pair<std::string_view, std::string>, 3> inputs = {
      {{"device", device_word(s, call)}, {"layout", layout_word(s, call)}, {"autograd", autograd_word(s, call)}}};
  const double wide = (at.width - 24) / 3;
  const std::vector<KeyRow> all_rows = rows_of(call, s.trace());
  const bool asks_autograd =
      std::ranges::any_of(all_rows, [](const KeyRow& row) { return row.turn > 0 && row.key.starts_with("Autograd"); });
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    // The device decides where the call ends; autograd adds the key that is called first.
    const bool decides = (i == 0 || (i == 2 && asks_autograd)) && !open && lit >= 1;
    const PlaneBox place = {at.x + 12 + wide * static_cast<double>(i), at.y + 38, wide - 6, 30};
    const std::string name = fmt::format("{} {}", id, inputs[i].first);
    PlaneItem& chip = decides ? plane.box(name, place, Tone::host, inputs[i].second)
                              : plane.frame(name, place, Tone::plain, inputs[i].second);
    chip.type = Plane::Type::body;
    chip.tip = s.word(fmt::format("tip_{}", inputs[i].first));
    chip.origin = Origin::derived;
    chip.shown = part(lit, 0, 0.2);
  }
  constexpr std::size_t most = 4;
  const std::vector<KeyRow> rows = shown_rows(all_rows, most);
  const double top = at.y + 74, high = (at.height - 80) / static_cast<double>(most);
  int turns = 1;
  for (const KeyRow& row : rows) turns = std::max(turns, row.turn);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const KeyRow& row = rows[r];
    const double y = top + high * static_cast<double>(r);
    const std::string row_id = fmt::format("{} key {}", id, r);
    const double reached = 0.3 + 0.6 * static_cast<double>(row.turn - 1) / turns;
    const bool called = !open && row.turn > 0 && lit > reached;
    const PlaneBox key = {at.x + 12, y, at.width * 0.33, high - 4};
    PlaneItem& box =
        called ? plane.box(row_id, key, Tone::host, row.key) : plane.frame(row_id, key, Tone::quiet, row.key);
    box.type = Plane::Type::body;
    box.tip = s.word("tip_keys");
    if (called)
      plane.text(row_id + " does", {key.right() + 6, y, at.right() - key.right() - 10, high - 4},
                 effect_word(s, call, row, callee), Plane::Type::body);
  }
}

}  // namespace

PlanePicture call_plane(const Tour& s, double phase) {
  Plane plane(world::cpu_view);
  const PlaneBox& view = world::cpu_view;
  draw_cpu(plane, s, view);
  draw_strip_of_sheets(plane, s);
  const TimeAxis axis = op_axis(s);
  const auto& rows = s.trace().slices;
  const double ran = part(phase, 0.25, 1), y = view.y + 330;
  const SliceId op = s.walk().ops.front();
  PlaneBox bar = {axis.at(rows.start[op]), view.y + 170, 0, 110};
  bar.width = std::max(0.0, std::min(axis.at(rows.end(op)), axis.left + axis.wide * ran) - bar.x);
  plane.arrow("call", view.x + 250, view.y + 58, axis.left + 12, bar.y - 4, Tone::host).shown = part(phase, 0, 0.25);
  plane
      .text("call name", {view.x + 214, view.y + 104, 420, 30}, s.word("calls", {{"op", op_name(s, 0)}}),
            Plane::Type::body)
      .shown = part(phase, 0, 0.25);
  if (bar.width > 0) {
    PlaneItem& box = plane.box("op", bar, Tone::host, bar.width < 200 ? std::string() : op_name(s, 0));
    box.type = Plane::Type::figure;
    box.tip = s.word("tip_op", {{"time", time_text(static_cast<double>(rows.duration[op]))}});
  }
  draw_axis(plane, axis, y, ran);
  plane
      .text("time name", {axis.left, view.y + 386, axis.wide, 28}, s.word(stacks_recorded(s) ? "time_stacks" : "time"),
            Plane::Type::label, Plane::Align::left, Tone::quiet)
      .origin = s.recorded();
  return plane.take();
}

void call_values(const Tour& s, Narration::Values& values) {
  const auto opening = opening_line(s.trace(), s.walk());
  values.insert_or_assign("outer", op_name(s, 0));
  values.insert_or_assign("expression", opening && !opening->result.empty() ? opening->result : op_name(s, 0));
}

PlanePicture dispatch_plane(const Tour& s, double phase) {
  Plane plane(world::cpu_view);
  const PlaneBox& view = world::cpu_view;
  draw_cpu(plane, s, view);
  draw_strip_of_sheets(plane, s);
  const TimeAxis axis = op_axis(s);
  const auto& rows = s.trace().slices;
  const std::vector<std::size_t> calls = dispatched_ops(s);
  const double nested = part(phase, 0, 0.2);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const SliceId op = s.walk().ops[calls[i]];
    PlaneBox bar = {axis.at(rows.start[op]), view.y + 112 + 38 * static_cast<double>(i), 0, 34};
    bar.width = std::max(4.0, axis.at(rows.end(op)) - bar.x) * (i == 0 ? 1 : nested);
    plane.box(i == 0 ? "op" : fmt::format("op {}", i), bar, Tone::host, nested < 1 && i > 0 ? "" : op_name(s, calls[i]))
        .type = Plane::Type::heading;
  }
  const bool open = open_question(s, dispatch_question(s));
  const double gap = 16, wide = (view.width - 32 - gap) / 2, top = view.y + 200;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const double start = 0.2 + 0.4 * static_cast<double>(i);
    const std::string callee = calls[i] + 1 < s.walk().ops.size() ? op_name(s, calls[i] + 1) : std::string();
    draw_call(
        plane, s, calls[i], callee,
        {view.x + 16 + (wide + gap) * static_cast<double>(i), top, calls.size() == 1 ? view.width - 32 : wide, 220},
        part(phase, start, start + 0.4), open);
  }
  return plane.take();
}

std::string dispatch_section(const Tour& s) {
  const std::vector<std::size_t> calls = dispatched_ops(s);
  if (calls.empty()) return "dispatch.none";
  const Call call = call_at(s.trace(), s.walk(), calls.back());
  const bool own = is_registered_by_program(call, s.trace());
  if (calls.size() == 1) return own ? "dispatch.one_own" : "dispatch.one";
  return own ? "dispatch" : "dispatch.usual";
}

void dispatch_values(const Tour& s, Narration::Values& values) {
  const std::vector<std::size_t> calls = dispatched_ops(s);
  if (calls.empty()) return;
  values.insert_or_assign("outer", op_name(s, calls.front()));
  values.insert_or_assign("inner", op_name(s, calls.back()));
}

std::optional<Ask> dispatch_question(const Tour& s) {
  const std::vector<std::size_t> calls = dispatched_ops(s);
  if (calls.empty() || call_at(s.trace(), s.walk(), calls.back()).recorded.backend != KeyBackend::cuda) return {};
  Ask asked{"dispatch", "", {}, {}};
  for (const std::string_view key : {"layout", "device", "autograd"}) {
    asked.options.words.push_back(s.word(fmt::format("answer_{}", key)));
    asked.options.keys.emplace_back(key);
  }
  asked.options.right = 1;
  return asked;
}

}  // namespace warpwalk::story

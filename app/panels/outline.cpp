#include "app/panels/outline.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/figure.h"
#include "core/story/elements/walk.h"
#include "core/words/time_column.h"

namespace warpwalk::panels {
namespace {

using draw::Align;
using draw::Box;
using draw::Key;
using draw::Style;
using Tab = OutlineState::Tab;

constexpr float outline_row_height = 28;
constexpr float recorded_dot = 3, legend_height = 24;

void find_rows(const trace::Trace& trace, const analysis::Outline& content, OutlineState& state) {
  const std::string wanted =
      fmt::format("{}/{}/{}", static_cast<int>(state.tab), static_cast<const void*>(&trace), state.search.text);
  if (state.rows_for == wanted) return;
  state.rows_for = wanted;
  state.rows.clear();
  state.scroll = 0;
  state.cursor = 0;
  if (state.search.text.empty()) state.shown = story::no_slice;
  const std::vector<char> holds = analysis::names_holding(trace, state.search.text);
  const auto find = [&](Tab tab, std::size_t count, std::size_t& found, const auto& matches) {
    found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!matches(i)) continue;
      ++found;
      if (state.tab == tab) state.rows.push_back(static_cast<std::uint32_t>(i));
    }
  };
  find(Tab::ops, content.ops.size(), state.found_ops,
       [&](std::size_t i) { return holds[trace.slices.name[content.ops[i].slice]] != 0; });
  find(Tab::launches, trace.launched.size(), state.found_launches, [&](std::size_t i) {
    const auto [launch, work] = trace.launched[i];
    return holds[trace.slices.name[launch]] != 0 || holds[trace.slices.name[work]] != 0;
  });
  find(Tab::kernels, content.kernels.size(), state.found_kernels,
       [&](std::size_t i) { return holds[content.kernels[i].name] != 0; });
}

// The text if it fits; else with its middle left out, because names often differ only at their ends.
std::string fitted_middle(const draw::Canvas& canvas, const std::string& text, float width) {
  if (canvas.text_width(Style::mono_small, text) <= width) return text;
  const float each = canvas.text_width(Style::mono_small, "0");
  return analysis::shortened(text, static_cast<std::size_t>(std::max(0.0f, width / each)));
}

// No row of this tab matches: says how many rows of the other tabs do.
std::string nothing_found(const draw::Ui& ui, const OutlineState& state) {
  if (state.search.text.empty()) return ui.word("outline", "none");
  std::string words = ui.word("outline", "not_found", {{"text", state.search.text}});
  const auto add = [&](Tab tab, std::string_view key, std::size_t found) {
    if (tab != state.tab && found > 0)
      words.append(" ").append(
          ui.word("outline", "found_in",
                  {{"tab", ui.word("outline", key)}, {"n", story::with_thousands(static_cast<std::int64_t>(found))}}));
  };
  add(Tab::ops, "ops", state.found_ops);
  add(Tab::launches, "launches", state.found_launches);
  add(Tab::kernels, "kernels", state.found_kernels);
  return words;
}

void search_field(draw::Ui& ui, const Box& box, OutlineState& state) {
  draw::point_field(ui, "outline.search", box, state.search);
  draw::paint_field(ui.canvas(), box, state.search, state.typing, ui.word("outline", "search"));
  if (ui.activated("outline.search", box)) state.typing = true;
}

struct RowText {
  std::string name;
  std::string figure;
  bool recorded = false;  // with its memory
  float indent = 0;
  bool followed = false;
  double share = 0;  // of the time of all kernels
  std::string tip;
};

using Words = story::Narration;

std::string origin_word(const Words& words, story::Origin origin) {
  return words.text("origin", trace::name_of(origin));
}

RowText op_row(const Words& words, const trace::Trace& trace, const analysis::OutlineOp& op, const story::Walk& walk,
               const words::TimeColumn& times, bool flat) {
  constexpr std::uint32_t deepest = 8;
  RowText row;
  row.name = analysis::label_of(trace, op.slice);
  if (op.gpu_time != 0) row.figure = times.text(op.gpu_time);
  row.indent = flat ? 0 : 12 * static_cast<float>(std::min(op.depth, deepest));
  row.followed = std::find(walk.ops.begin(), walk.ops.end(), op.slice) != walk.ops.end();
  row.tip = words.text("outline", "op.tip",
                       {{"number", fmt::format("op:{}", story::number_of(trace, op.slice))},
                        {"op", row.name},
                        {"cpu_time", story::time_text(static_cast<double>(trace.slices.duration[op.slice]))},
                        {"origin", origin_word(words, trace.records.time_origin())},
                        {"gpu_time", story::time_text(static_cast<double>(op.gpu_time))}});
  return row;
}

RowText kernel_row(const Words& words, const trace::Trace& trace, const analysis::KernelGroup& group,
                   const story::Walk& walk, const words::TimeColumn& times) {
  RowText row;
  row.name = group.label;
  const bool timed = story::has_time(trace, group.longest);
  const std::string total = timed ? times.text(group.total) : words.text("outline", "no_time");
  row.figure = fmt::format("{}×  {}", story::with_thousands(static_cast<std::int64_t>(group.count)), total);
  row.share = group.share;
  row.followed = walk.kernel != story::no_slice && trace.slices.name[walk.kernel] == group.name;
  row.tip = words.text("outline", timed ? "kernel.tip" : "kernel.untimed.tip",
                       {{"n", story::with_thousands(static_cast<std::int64_t>(group.count))},
                        {"total", total},
                        {"share", base::with_marks(fmt::format("{:.1f} %", 100 * group.share))},
                        {"longest", story::time_text(static_cast<double>(trace.slices.duration[group.longest]))},
                        {"origin", origin_word(words, trace.records.time_origin())},
                        {"kernel", analysis::shortened(trace.text(group.name), 200)}});
  return row;
}

RowText launch_row(const Words& words, const trace::Trace& trace, std::size_t number, const story::Walk& walk,
                   const words::TimeColumn& times) {
  const auto [launch, work] = trace.launched[number];
  RowText row;
  row.name = analysis::label_of(trace, work);
  const bool timed = story::has_time(trace, work);
  row.figure = timed ? times.text(trace.slices.duration[work]) : "no time";
  row.followed = walk.kernel == work;
  row.tip = words.text(
      "outline", timed ? "launch.tip" : "launch.untimed.tip",
      {{"number", fmt::format("launch:{}", number)},
       {"call", analysis::label_of(trace, launch)},
       {"at", story::time_text(static_cast<double>(analysis::since_start(trace, trace.slices.start[launch])))},
       {"work", row.name},
       {"time", timed ? story::time_text(static_cast<double>(trace.slices.duration[work])) : row.figure},
       {"origin", origin_word(words, trace.records.time_origin())}});
  return row;
}

template <class Id>
bool holds(const std::vector<Id>& sorted, Id id) {
  return std::ranges::binary_search(sorted, id);
}

// Whether a launch of this row was recorded with its memory.
bool is_marked(const trace::Trace& trace, const analysis::Outline& content, const OutlineState& state,
               std::uint32_t row) {
  const RecordedMarks& marks = state.recorded;
  switch (state.tab) {
    case Tab::ops: return holds(marks.ops, content.ops[row].slice);
    case Tab::launches: return holds(marks.works, trace.launched[row].second);
    case Tab::kernels: break;
  }
  return holds(marks.names, content.kernels[row].name);
}

// Below the list: what the dot means.
void recorded_legend(draw::Ui& ui, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  canvas.dot({box.x + 4, box.y + box.height / 2}, recorded_dot, canvas.theme().text);
  canvas.text_in({box.x + 14, box.y, box.width - 14, box.height}, Style::label, canvas.theme().second,
                 ui.word("outline", "recorded"));
  if (ui.hovered(box)) ui.tooltip(ui.word("outline", "recorded.tip"));
}

story::SliceId slice_of(const trace::Trace& trace, const analysis::Outline& content, Tab tab, std::uint32_t row) {
  switch (tab) {
    case Tab::ops: return content.ops[row].slice;
    case Tab::launches: return trace.launched[row].second;
    case Tab::kernels: break;
  }
  return content.kernels[row].longest;
}

void tabs(draw::Ui& ui, const Box& box, const trace::Trace& trace, const analysis::Outline& content,
          OutlineState& state) {
  struct One {
    Tab tab;
    std::string_view key;  // of its label and its tip, in [outline]
    std::size_t count;
  };
  const One all[] = {{Tab::ops, "ops", content.ops.size()},
                     {Tab::launches, "launches", trace.launched.size()},
                     {Tab::kernels, "kernels", content.kernels.size()}};
  const float width = (box.width - 8) / 3;
  float x = box.x;
  for (const One& one : all) {
    const Box place = {x, box.y, width, box.height};
    if (ui.hovered(place))
      ui.tooltip(ui.word("outline", fmt::format("{}.tip", one.key),
                         {{"n", story::with_thousands(static_cast<std::int64_t>(one.count))}}));
    if (ui.button(fmt::format("outline.{}", one.key), place, ui.word("outline", one.key), state.tab == one.tab))
      state.tab = one.tab;
    x += width + 4;
  }
}

}  // namespace

RecordedMarks recorded_marks(const trace::Trace& trace, const std::vector<story::SliceId>& recorded) {
  RecordedMarks marks;
  for (const story::SliceId kernel : recorded) {
    marks.works.push_back(kernel);
    marks.names.push_back(trace.slices.name[kernel]);
    const story::SliceId launch = trace.kernels[trace.slices.detail[kernel]].launch;
    for (story::SliceId s = launch; s != story::no_slice; s = trace.slices.parent[s])
      if (trace.slices.kind[s] == trace::SliceKind::op) marks.ops.push_back(s);
  }
  const auto sort = [](auto& ids) {
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  };
  sort(marks.works);
  sort(marks.ops);
  sort(marks.names);
  return marks;
}

OutlineState::Tab first_tab(const trace::Trace& trace, const analysis::Outline& content) {
  if (!content.ops.empty()) return Tab::ops;
  if (!trace.launched.empty()) return Tab::launches;
  return content.kernels.empty() ? Tab::ops : Tab::kernels;
}

void type(OutlineState& state, const draw::KeyPress& press, std::string* copied) {
  const bool of_list = press.key == Key::home || press.key == Key::end;  // they move the list's cursor
  if (!of_list && state.search.type(press, copied)) return;
  if (press.key == Key::escape) state.search.text.clear();
  // If there is a search text, Enter follows the row at the cursor; otherwise it only ends the typing.
  if (press.key == Key::enter) state.enter = !state.search.text.empty();
  if (press.key == Key::escape || press.key == Key::enter || press.key == Key::tab) state.typing = false;
}

story::SliceId outline(draw::Ui& ui, const Box& box, const trace::Trace& trace, const analysis::Outline& content,
                       const story::Walk& walk, OutlineState& state) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel);
  canvas.line({box.right() - 1, box.y}, {box.right() - 1, box.bottom()}, theme.line, theme.hairline);
  constexpr float pad = 16;
  const float left = box.x + pad;
  const float width = box.width - 2 * pad;
  float y = box.y + 14;
  tabs(ui, {left, y, width, 30}, trace, content, state);
  y += 38;
  search_field(ui, {left, y, width, 32}, state);
  y += 42;
  find_rows(trace, content, state);

  if (state.tab == Tab::kernels) {
    const std::string idle = story::time_text(static_cast<double>(content.gpu_idle()));
    const Box line = {box.x + 8, y - 4, box.width - 16, 26};
    if (ui.hovered(line)) canvas.fill(line, draw::mixed(theme.text, theme.ground, 0.08f), 4);
    if (ui.activated("outline.idle", line)) state.asks_idle = true;
    if (ui.hovered(line)) ui.tooltip(ui.word("outline", "idle.tip"));
    canvas.text({left, y}, Style::label, theme.second, ui.word("outline", "idle"), width - 90);
    canvas.text({left + width, y}, Style::mono_small, theme.text, idle, 120, Align::right);
    y += 28;
  }

  const std::string head = ui.word("outline", state.tab == Tab::ops        ? "ops.head"
                                              : state.tab == Tab::launches ? "launches.head"
                                                                           : "kernels.head");
  canvas.text({left + width, y - 2}, Style::label, theme.second, head, width, Align::right);
  y += 22;

  const float legend = state.recorded.empty() ? 0 : legend_height;
  const Box list = {box.x, y, box.width - 1, box.bottom() - y - 8 - legend};
  if (legend > 0) recorded_legend(ui, {left, list.bottom() + 4, width, legend});
  const float content_height = outline_row_height * static_cast<float>(state.rows.size());
  const float furthest = std::max(0.0f, content_height - list.height);
  // The followed row is scrolled into view once; after that the user scrolls.
  const bool ops = state.tab == Tab::ops;
  const story::SliceId followed = !ops ? walk.kernel : walk.ops.empty() ? story::no_slice : walk.ops.front();
  if (followed != story::no_slice && state.shown != followed) {
    state.shown = followed;
    const auto is_followed = [&](std::uint32_t row) {
      if (state.tab != Tab::kernels) return slice_of(trace, content, state.tab, row) == followed;
      return trace.slices.name[followed] == content.kernels[row].name;
    };
    for (std::size_t i = 0; i < state.rows.size(); ++i)
      if (is_followed(state.rows[i])) {
        const float at = outline_row_height * static_cast<float>(i);
        if (at < state.scroll || at + 3 * outline_row_height > state.scroll + list.height)
          state.scroll = at - list.height / 3;
        state.cursor = i;
      }
  }
  state.scroll = std::clamp(state.scroll - 3 * outline_row_height * ui.wheel(list), 0.0f, furthest);
  story::SliceId chosen = story::no_slice;
  const auto page = static_cast<std::size_t>(std::max(1.0f, list.height / outline_row_height - 1));
  const std::size_t before = state.cursor;
  state.cursor = ui.list("outline.list", list, state.cursor, state.rows.size(), page, state.typing);
  const bool cursor_shown = state.typing ? !state.search.text.empty() : ui.focus_shown("outline.list");
  if (state.cursor != before) {
    const float at = outline_row_height * static_cast<float>(state.cursor);
    state.scroll = std::clamp(state.scroll, std::max(0.0f, at + outline_row_height - list.height), at);
  }
  bool enter = state.enter;
  state.enter = false;
  if (ui.focus_shown("outline.list"))
    for (const draw::KeyPress& press : ui.input().keys) enter = enter || press.key == Key::enter;
  if (enter && state.cursor < state.rows.size()) chosen = slice_of(trace, content, state.tab, state.rows[state.cursor]);
  canvas.clip(list);
  const auto first = static_cast<std::size_t>(state.scroll / outline_row_height);
  const words::TimeColumn times(ops                          ? content.longest_op
                                : state.tab == Tab::launches ? content.longest_work
                                : content.kernels.empty()    ? 0
                                                             : content.kernels.front().total);
  for (std::size_t i = first; i < state.rows.size(); ++i) {
    const Box place = {list.x + 6, list.y + outline_row_height * static_cast<float>(i) - state.scroll, list.width - 12,
                       outline_row_height};
    if (place.y > list.bottom()) break;
    const std::uint32_t number = state.rows[i];
    const Words& words = ui.words();
    RowText row = state.tab == Tab::ops
                      ? op_row(words, trace, content.ops[number], walk, times, !state.search.text.empty())
                  : state.tab == Tab::launches ? launch_row(words, trace, number, walk, times)
                                               : kernel_row(words, trace, content.kernels[number], walk, times);
    row.recorded = is_marked(trace, content, state, number);
    if (row.recorded) row.tip += " · " + words.text("outline", "recorded.tip");
    const Box visible = {place.x, std::max(place.y, list.y), place.width,
                         std::min(place.bottom(), list.bottom()) - std::max(place.y, list.y)};
    const bool over = ui.hovered(visible);
    if (row.followed || over)
      canvas.fill(place, draw::mixed(row.followed ? theme.now : theme.second, theme.panel, 0.12f), 6);
    if (row.recorded) canvas.dot({place.x + 4 + row.indent, place.y + place.height / 2}, recorded_dot, theme.text);
    const float figure = canvas.text_width(Style::mono_small, row.figure);
    const Box name = {place.x + 10 + row.indent, place.y, place.width - 30 - row.indent - figure, place.height};
    canvas.text_in(name, Style::mono_small, row.followed ? theme.text : theme.second,
                   fitted_middle(canvas, row.name, name.width));
    canvas.text_in({place.x, place.y, place.width - 10, place.height}, Style::mono_small, theme.second, row.figure,
                   Align::right);
    if (row.share > 0)
      canvas.fill({place.x + 10, place.bottom() - 4, (place.width - 20) * static_cast<float>(row.share), 2}, theme.done,
                  1);
    if (over) ui.tooltip(row.tip);
    if (cursor_shown && i == state.cursor) ui.tooltip_at(row.tip, {place.right() - 40, place.y + 8});
    if (cursor_shown && i == state.cursor) canvas.outline(place, theme.text, 6, 1.5f);
    if (over && ui.input().mouse_pressed) {
      chosen = slice_of(trace, content, state.tab, number);
      state.cursor = i;
    }
  }
  canvas.unclip();
  if (state.rows.empty()) {
    canvas.paragraph({left, list.y + 6}, Style::label, theme.second, nothing_found(ui, state), width, 4);
  }
  if (furthest > 0) {
    const float bar = std::max(24.0f, list.height * list.height / content_height);
    canvas.fill({box.right() - 6, list.y + (list.height - bar) * state.scroll / furthest, 4, bar},
                draw::mixed(theme.second, theme.panel, 0.5f), 2);
  }
  return chosen;
}

}  // namespace warpwalk::panels

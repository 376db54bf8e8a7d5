#include "app/pages/kernel_lab/kernel_lab_results.h"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "app/runs/run_values.h"
#include "core/run/kernel_lab/compare_runs.h"
#include "core/story/labs/kernel/kernel_figures.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Style;

constexpr float result_row_height = 22;
constexpr int max_message_lines = 4;

/// One row of the results.
struct ResultRow {
  enum class Kind : unsigned char { heading, message, text, figure, more };
  Kind kind = Kind::figure;
  std::vector<std::string> cells;
  EditorMark::Kind mark = EditorMark::Kind::error;                    // of a message
  std::optional<std::pair<std::size_t, run::Diagnostic>> place = {};  // where a click goes: version, message
  bool better = false, worse = false;                                 // fewer or more cycles
  bool outdated = false;                                              // of an older text: drawn dim
  bool notice = false;                                                // says that they are
  std::vector<AskedElement> elements = {};  // of an output: those of the cells behind the first one
};

std::string shown(const std::optional<double>& value) { return value ? story::lab_number(*value) : "–"; }

void add_message(draw::Ui& ui, std::vector<ResultRow>& rows, const run::Diagnostic& message, EditorMark::Kind kind,
                 std::size_t version, bool name_version, float width) {
  std::string place;
  if (name_version) place = ui.word("kernel_lab", version == 0 ? "a" : "b") + " ";
  const std::string where = message.text == run::Diagnostic::Text::launch ? "in_launch" : "in_source";
  if (message.line != 0) place += ui.word("kernel_lab", where, {{"line", fmt::to_string(message.line)}}) + " ";
  const auto lines = ui.canvas().wrapped(Style::label, place + message.message, width - 30, max_message_lines);
  for (std::size_t i = 0; i < lines.size(); ++i)
    rows.push_back(
        {i == 0 ? ResultRow::Kind::message : ResultRow::Kind::text, {lines[i]}, kind, std::pair{version, message}});
}

void add_messages(draw::Ui& ui, std::vector<ResultRow>& rows, const KernelLabState& state, float width) {
  for (std::size_t v = 0; v < 2; ++v) {
    if (!state.compare && v != state.active) continue;
    const LabVersion& version = state.versions[v];
    for (const run::Diagnostic& message : version.messages)
      add_message(ui, rows, message, message.warning ? EditorMark::Kind::warning : EditorMark::Kind::error, v,
                  state.compare, width);
    if (!version.up_to_date()) continue;
    for (const run::Diagnostic& finding : version.run->findings)
      add_message(ui, rows, finding, EditorMark::Kind::finding, v, state.compare, width);
    if (version.run->findings.empty() && !state.compare)
      rows.push_back(
          {ResultRow::Kind::text, {ui.word("kernel_lab", state.sanitize ? "no_findings" : "not_sanitized")}});
  }
}

/// Whether each buffer has what it has to contain.
void add_checks(draw::Ui& ui, std::vector<ResultRow>& rows, const LabVersion& version) {
  for (const run::ResultCheck& check : version.checks) {
    story::Narration::Values values = {{"buffer", check.buffer}};
    const char* key = check.good() ? "as_expected" : "not_compared";
    if (check.same_size && !check.comparison.match) {
      key = "unexpected";
      values["n"] = fmt::to_string(check.comparison.mismatches);
      values["index"] = fmt::to_string(check.comparison.first->index);
      values["got"] = check.comparison.first->got;
      values["want"] = check.comparison.first->want;
    }
    ResultRow row{ResultRow::Kind::text, {ui.word("kernel_lab", key, values)}};
    row.notice = !check.good();
    rows.push_back(std::move(row));
  }
}

/// The first element of a buffer that differs from what is expected of it.
std::optional<std::size_t> first_wrong(const LabVersion& version, const std::string& buffer) {
  for (const run::ResultCheck& check : version.checks)
    if (check.buffer == buffer && check.comparison.first) return check.comparison.first->index;
  return {};
}

/// The first elements of each buffer, and the first that is wrong.
void add_outputs(draw::Ui& ui, std::vector<ResultRow>& rows, const LabVersion& version) {
  const run::DraftRun& ran = *version.run;
  rows.push_back({ResultRow::Kind::heading, {ui.word("kernel_lab", "buffers")}});
  for (std::size_t i = 0; i < ran.loaded.file.buffers.size(); ++i) {
    const run::BufferSpec& buffer = ran.loaded.file.buffers[i];
    const auto& bytes = ran.loaded.launch.buffers[i].bytes;
    const auto values = runs::first_values(buffer.dtype, {static_cast<std::int64_t>(buffer.count)}, bytes);
    ResultRow row{ResultRow::Kind::text, {buffer.name + ":"}};
    const std::size_t size = bytes_of(buffer.dtype);
    for (const std::string& value : values.rows.empty() ? std::vector<std::string>() : values.rows.front()) {
      row.elements.push_back({i, row.elements.size() * size, size});
      row.cells.push_back(value);
    }
    if (const auto wrong = first_wrong(version, buffer.name); wrong && bytes.size() >= (*wrong + 1) * size) {
      const auto value = runs::first_values(buffer.dtype, {1}, std::span(bytes).subspan(*wrong * size, size));
      row.elements.push_back({i, *wrong * size, size});
      row.cells.push_back(ui.word("kernel_lab", "first_wrong",
                                  {{"index", fmt::to_string(*wrong)}, {"value", value.rows.front().front()}}));
    }
    if (values.more_columns) row.cells.emplace_back("…");
    rows.push_back(std::move(row));
  }
}

/// The elements of an output, each of which can be clicked.
void paint_elements(draw::Ui& ui, KernelLabState& state, const Box& line, const ResultRow& row) {
  draw::Canvas& canvas = ui.canvas();
  const ImU32 colour = row.outdated ? canvas.theme().faint : canvas.theme().second;
  const float space = canvas.text_width(Style::label, " ");
  float x = line.x;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const float width = canvas.text_width(Style::label, row.cells[i]);
    if (x + width > line.right()) return;
    const Box place = {x, line.y, width, line.height};
    const bool element = i > 0 && i <= row.elements.size();
    const bool pointed = element && ui.hovered(place);
    canvas.text_in(place, Style::label, pointed ? canvas.theme().text : colour, row.cells[i]);
    if (pointed) {
      canvas.line({x, place.bottom() - 3}, {x + width, place.bottom() - 3}, canvas.theme().text,
                  canvas.theme().hairline);
      ui.tooltip(ui.word("kernel_lab", "who_wrote"));
      if (ui.input().mouse_pressed) state.asked = row.elements[i - 1];
    }
    x += width + space;
  }
}

/// The row that shows the other figures, or hides them again.
ResultRow more_row(draw::Ui& ui, const KernelLabState& state, std::size_t others) {
  return {ResultRow::Kind::more,
          {ui.word("kernel_lab", state.all_figures ? "fewer" : "more", {{"n", fmt::to_string(others)}})}};
}

/// The main figures, then the others if they are wanted.
void add_figures(draw::Ui& ui, std::vector<ResultRow>& rows, const KernelLabState& state, const run::DraftRun& ran) {
  const std::vector<run::RunFigure> figures = run::figures_of(ran);
  const std::vector<std::string> main = run::main_figures(figures);
  const auto add = [&](const run::RunFigure& figure) {
    rows.push_back(
        {ResultRow::Kind::figure, {story::lab_figure_name(ui.words(), figure.name), story::lab_number(figure.value)}});
  };
  rows.push_back({ResultRow::Kind::heading, {ui.word("kernel_lab", "figure"), ui.word("kernel_lab", "value")}});
  for (const std::string& name : main) add(*std::ranges::find(figures, name, &run::RunFigure::name));
  rows.push_back(more_row(ui, state, figures.size() - main.size()));
  if (!state.all_figures) return;
  for (const run::RunFigure& figure : figures)
    if (std::ranges::find(main, figure.name) == main.end()) add(figure);
}

void add_comparison(draw::Ui& ui, std::vector<ResultRow>& rows, const KernelLabState& state) {
  const auto figures = [&](std::size_t v) {
    const auto& ran = state.versions[v].run;
    return ran == nullptr ? std::vector<run::RunFigure>() : run::figures_of(*ran);
  };
  rows.push_back({ResultRow::Kind::heading,
                  {ui.word("kernel_lab", "figure"), ui.word("kernel_lab", "a"), ui.word("kernel_lab", "b"),
                   ui.word("kernel_lab", "difference"), ui.word("kernel_lab", "ratio")}});
  const std::vector<run::RunFigure> a = figures(0), b = figures(1);
  std::vector<std::string> main = run::main_figures(a);
  for (const std::string& name : run::main_figures(b))
    if (std::ranges::find(main, name) == main.end()) main.push_back(name);
  const std::vector<run::ComparedFigure> all = run::compare_figures(a, b);
  const auto add = [&](const run::ComparedFigure& figure) {
    const auto difference = figure.difference(), ratio = figure.ratio();
    ResultRow row = {ResultRow::Kind::figure,
                     {story::lab_figure_name(ui.words(), figure.name), shown(figure.a), shown(figure.b),
                      difference ? story::lab_difference(*difference) : "–",
                      ratio ? base::with_marks(fmt::format("{:.2f}", *ratio)) : "–"}};
    if (difference && figure.name.starts_with("cycles")) {
      row.better = *difference < 0;
      row.worse = *difference > 0;
    }
    rows.push_back(std::move(row));
  };
  for (const std::string& name : main) add(*std::ranges::find(all, name, &run::ComparedFigure::name));
  rows.push_back(more_row(ui, state, all.size() - main.size()));
  if (!state.all_figures) return;
  for (const run::ComparedFigure& figure : all)
    if (std::ranges::find(main, figure.name) == main.end()) add(figure);
}

/// What ran where: the code, the GPU, and the caches at the start.
void add_ran_as(draw::Ui& ui, std::vector<ResultRow>& rows, const run::DraftRun& ran, const std::string& version,
                float width) {
  const std::string caches = ui.word("kernel_lab", ran.caches() == gpu::CacheStart::cold ? "ran.cold" : "ran.warm");
  std::string text = version + ui.word("kernel_lab", "ran_as",
                                       {{"code", ran.loaded.code}, {"gpu", ran.device.name}, {"caches", caches}});
  if (!ran.device.compared) text += " " + ui.word("kernel_lab", "gpu.not_compared");
  for (std::string& line : ui.canvas().wrapped(Style::label, text, width, max_message_lines))
    rows.push_back({ResultRow::Kind::text, {std::move(line)}});
}

ResultRow outdated_notice(draw::Ui& ui, const std::string& version) {
  ResultRow row{ResultRow::Kind::text, {version + ui.word("kernel_lab", "stale")}};
  row.notice = true;
  return row;
}

/// Marks the rows from `first` on as those of an older text.
void mark_outdated(std::vector<ResultRow>& rows, std::size_t first) {
  for (std::size_t i = first; i < rows.size(); ++i) rows[i].outdated = rows[i].kind != ResultRow::Kind::more;
}

/// The note, if the head of the page has no room for all of it.
void add_note(draw::Ui& ui, std::vector<ResultRow>& rows, const std::string& note, float width) {
  if (ui.canvas().text_width(Style::label, note) <= lab_note_width(ui.canvas())) return;
  for (std::string& line : ui.canvas().wrapped(Style::label, note, width, max_message_lines)) {
    ResultRow row{ResultRow::Kind::text, {std::move(line)}};
    row.notice = true;
    rows.push_back(std::move(row));
  }
}

std::vector<ResultRow> result_rows(draw::Ui& ui, const KernelLabState& state, float width) {
  std::vector<ResultRow> rows;
  add_note(ui, rows, state.note, width);
  add_messages(ui, rows, state, width);
  const LabVersion& active = state.versions[state.active];
  const bool any =
      state.compare ? state.versions[0].run != nullptr || state.versions[1].run != nullptr : active.run != nullptr;
  if (!any) {
    if (rows.empty()) rows.push_back({ResultRow::Kind::text, {ui.word("kernel_lab", "not_run")}});
    return rows;
  }
  if (state.compare) {
    // Names the versions whose figures are of an older text.
    bool outdated = false;
    for (std::size_t v = 0; v < state.versions.size(); ++v) {
      const LabVersion& version = state.versions[v];
      if (version.run == nullptr || version.up_to_date()) continue;
      outdated = true;
      rows.push_back(outdated_notice(ui, ui.word("kernel_lab", v == 0 ? "a" : "b") + ": "));
    }
    const std::size_t first = rows.size();
    for (std::size_t v = 0; v < state.versions.size(); ++v)
      if (state.versions[v].run != nullptr)
        add_ran_as(ui, rows, *state.versions[v].run, ui.word("kernel_lab", v == 0 ? "a" : "b") + ": ", width);
    add_comparison(ui, rows, state);
    if (outdated) mark_outdated(rows, first);
    return rows;
  }
  if (!active.up_to_date()) rows.push_back(outdated_notice(ui, ""));
  const std::size_t first = rows.size();
  add_ran_as(ui, rows, *active.run, "", width);
  for (const std::string& note : active.run->loaded.notes) rows.push_back({ResultRow::Kind::text, {note}});
  if (!active.run->result.cycles.missing.empty())
    rows.push_back({ResultRow::Kind::text, {run::cycles_note(active.run->result.cycles)}});
  add_checks(ui, rows, active);
  add_outputs(ui, rows, active);
  add_figures(ui, rows, state, *active.run);
  if (!active.up_to_date()) mark_outdated(rows, first);
  return rows;
}

/// The widths of the columns of numbers: what their longest cells need.
std::vector<float> number_widths(const draw::Canvas& canvas, const std::vector<ResultRow>& rows) {
  constexpr float between = 18;
  std::vector<float> widths;
  for (const ResultRow& row : rows) {
    if (row.kind != ResultRow::Kind::figure && row.kind != ResultRow::Kind::heading) continue;
    const Style style = row.kind == ResultRow::Kind::heading ? Style::small_caps : Style::mono_small;
    widths.resize(std::max(widths.size(), row.cells.size()));
    for (std::size_t i = 1; i < row.cells.size(); ++i)
      widths[i] = std::max(widths[i], canvas.text_width(style, row.cells[i]) + between);
  }
  return widths;
}

void paint_cells(draw::Ui& ui, const Box& line, const ResultRow& row, const std::vector<float>& widths) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const bool head = row.kind == ResultRow::Kind::heading;
  const ImU32 colour = head || row.outdated ? theme.second : theme.text;
  float x = line.right() - 6;
  for (std::size_t i = row.cells.size() - 1; i > 0; --i) {
    x -= widths[i];
    // The sign of the difference says the same as the colour beside it.
    if (i == 3 && (row.better || row.worse))
      canvas.fill({x + widths[i] + 4, line.y + 3, 3, line.height - 6}, row.better ? theme.done : theme.launch);
    canvas.text_in({x, line.y, widths[i], line.height}, head ? Style::small_caps : Style::mono_small, colour,
                   row.cells[i], Align::right);
  }
  const Style style = head ? Style::small_caps : Style::label;
  const Box name = {line.x, line.y, x - line.x, line.height};
  const std::string shown = canvas.fitted(style, row.cells[0], name.width);
  canvas.text_in(name, style, colour, shown);
  if (shown != row.cells[0] && ui.hovered(line)) ui.tooltip(row.cells[0]);
}

}  // namespace

void kernel_lab_results(draw::Ui& ui, KernelLabState& state, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.ground, 6);
  canvas.outline(box, theme.line, 6, theme.hairline);
  const Box inner = box.inset(10);
  const std::vector<ResultRow> rows = result_rows(ui, state, inner.width);
  const auto fits = static_cast<std::size_t>(std::max(1.0f, inner.height / result_row_height));
  const std::size_t last = rows.size() > fits ? rows.size() - fits : 0;
  state.first_row = std::min(state.first_row, last);
  state.first_row = ui.list("lab.results", box, state.first_row, last + 1, fits, false);
  if (const float notches = ui.wheel(box); notches != 0)
    state.first_row =
        notches < 0 ? std::min(state.first_row + 3, last) : state.first_row - std::min<std::size_t>(state.first_row, 3);
  const std::vector<float> widths = number_widths(canvas, rows);
  for (std::size_t i = 0; i < fits && state.first_row + i < rows.size(); ++i) {
    const ResultRow& row = rows[state.first_row + i];
    const Box line = {inner.x, inner.y + result_row_height * static_cast<float>(i), inner.width, result_row_height};
    if (row.kind == ResultRow::Kind::figure || row.kind == ResultRow::Kind::heading) {
      paint_cells(ui, line, row, widths);
      if (row.kind == ResultRow::Kind::heading)
        canvas.line({line.x, line.bottom() - 2}, {line.right(), line.bottom() - 2}, theme.line, theme.hairline);
      continue;
    }
    if (row.kind == ResultRow::Kind::more) {
      if (ui.button("lab.more", {line.x, line.y + 1, line.width, line.height - 2}, row.cells[0]))
        state.all_figures = !state.all_figures;
      continue;
    }
    if (!row.elements.empty()) {
      paint_elements(ui, state, line, row);
      continue;
    }
    float x = line.x;
    if (row.place) {
      const ImU32 colour = mark_colour(row.mark, theme);
      canvas.fill({line.x, line.y + 1, 4, line.height - 2}, colour);
      if (row.kind == ResultRow::Kind::message)
        canvas.text_in({line.x + 8, line.y, 14, line.height}, Style::mono_small, theme.text, mark_sign(row.mark));
      x += 26;
      if (ui.hovered(line) && ui.input().mouse_pressed) {
        const auto& [version, message] = *row.place;
        const bool launch = message.text == run::Diagnostic::Text::launch;
        draw::TextEditor& editor = launch ? state.versions[version].launch : state.versions[version].source;
        const std::size_t number = std::min<std::size_t>(std::max(message.line, 1u) - 1, editor.lines().size() - 1);
        editor.go(editor.lines().start(number), false);
        editor.top = number > 5 ? number - 5 : 0;
        state.memory.focus = fmt::format("lab.{}.{}", launch ? "launch" : "source", version);
      }
    }
    const ImU32 text_colour = row.outdated ? theme.faint : row.place || row.notice ? theme.text : theme.second;
    canvas.text_in({x, line.y, line.right() - x, line.height}, Style::label, text_colour,
                   canvas.fitted(Style::label, row.cells[0], line.right() - x));
  }
  if (rows.size() > fits) {
    const float all = static_cast<float>(rows.size());
    canvas.fill({box.right() - 5, box.y + 2 + (box.height - 4) * static_cast<float>(state.first_row) / all, 3,
                 (box.height - 4) * static_cast<float>(fits) / all},
                theme.second, 1.5f);
  }
}

}  // namespace warpwalk::pages

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "app/pages/exercise/exercise_view.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Style;

constexpr float row_height = 22;
constexpr int max_reason_lines = 6;

/// One line of text of the verdicts.
struct VerdictRow {
  std::string text;
  const run::Verdict* verdict = nullptr;  ///< null: a notice
  bool head = false;                      ///< the first line of its verdict
};

/// What the sanitizer found, by the name of its kind.
struct FoundWords {
  std::string_view finding, key;
};
constexpr std::array<FoundWords, 8> found_words = {{{"shared_race", "race"},
                                                    {"global_race", "race"},
                                                    {"out_of_bounds", "out_of_bounds"},
                                                    {"uninitialized", "uninitialized"},
                                                    {"barrier", "barrier"},
                                                    {"inactive_lane", "inactive_lane"},
                                                    {"deadlock", "deadlock"},
                                                    {"runaway", "endless"}}};

/// "Sectors per global load" for a criterion; its own name if the narration has none.
std::string criterion_words(draw::Ui& ui, const std::string& criterion) {
  std::string key = criterion;
  std::ranges::replace(key, '/', '.');
  return ui.word("exercise.criterion", key);
}

/// The verdict as a sentence that begins with yes or no: "No: the sanitizer found a race in line 5".
std::string verdict_words(draw::Ui& ui, const run::Verdict& verdict) {
  constexpr std::array<std::string_view, 4> of_every_exercise = {"compiles", "correct", "findings", "block_order"};
  const bool own = std::ranges::find(of_every_exercise, verdict.criterion) == of_every_exercise.end();
  const std::string key = own ? "figure" : verdict.criterion;
  const std::string figure = own ? criterion_words(ui, verdict.criterion) : "";
  if (!verdict.judged) return ui.word("exercise.verdict", fmt::format("{}.open", key), {{"figure", figure}});
  if (verdict.passed) return ui.word("exercise.verdict", fmt::format("{}.yes", key), {{"figure", figure}});
  std::string what;
  if (key == "findings") {
    const auto found = std::ranges::find(found_words, verdict.finding, &FoundWords::finding);
    what = ui.word("exercise.found", found == found_words.end() ? "error" : found->key);
  }
  return ui.word("exercise.verdict",
                 verdict.line != 0 && !own ? fmt::format("{}.no_line", key) : fmt::format("{}.no", key),
                 {{"figure", figure}, {"what", what}, {"line", fmt::to_string(verdict.line)}});
}

std::vector<VerdictRow> verdict_rows(draw::Ui& ui, const ExerciseState& state, float width) {
  std::vector<VerdictRow> rows;
  const auto notice = [&](const std::string& text) {
    for (const std::string& line : ui.canvas().wrapped(Style::label, text, width, max_reason_lines))
      rows.push_back({line});
  };
  if (!state.outcome) {
    notice(ui.word("exercise", "not_run"));
    return rows;
  }
  if (!state.outcome->error.empty()) {
    notice(state.outcome->error);
    return rows;
  }
  if (!state.up_to_date()) notice(ui.word("exercise", "stale"));
  if (state.outcome->grade.passed) notice(ui.word("exercise", state.has_next() ? "passed" : "passed_last"));
  for (const run::Verdict& verdict : state.outcome->grade.verdicts) {
    rows.push_back({verdict_words(ui, verdict), &verdict, true});
    if (verdict.reason.empty()) continue;
    for (const std::string& line : ui.canvas().wrapped(Style::label, verdict.reason, width - 30, max_reason_lines))
      rows.push_back({line, &verdict, false});
  }
  return rows;
}

void go_to_line(ExerciseState& state, std::uint32_t line) {
  if (line == 0) return;
  const std::size_t number = std::min<std::size_t>(line - 1, state.source.lines().size() - 1);
  state.source.go(state.source.lines().start(number), false);
  state.source.top = number > 5 ? number - 5 : 0;
  state.memory.focus = "exercise.source";
}

/// The sign of a verdict: a tick, a cross, or a dash if it was not judged. Its shape says what its colour says.
void paint_sign(draw::Canvas& canvas, const Box& box, const run::Verdict& verdict) {
  const draw::Theme& theme = canvas.theme();
  const float x = box.x + box.width / 2, y = box.y + box.height / 2, r = 5;
  if (!verdict.judged) {
    canvas.line({x - r, y}, {x + r, y}, theme.second, 2);
  } else if (verdict.passed) {
    canvas.line({x - r, y}, {x - 1, y + r - 1}, theme.done, 2.5f);
    canvas.line({x - 1, y + r - 1}, {x + r, y - r + 1}, theme.done, 2.5f);
  } else {
    canvas.line({x - r, y - r}, {x + r, y + r}, theme.launch, 2.5f);
    canvas.line({x - r, y + r}, {x + r, y - r}, theme.launch, 2.5f);
  }
}

}  // namespace

std::vector<EditorMark> ExerciseState::marks() const {
  std::vector<EditorMark> marks;
  if (!up_to_date()) return marks;
  for (const run::Diagnostic& message : outcome->grade.messages)
    if (message.line != 0)
      marks.push_back(
          {message.line, message.warning ? EditorMark::Kind::warning : EditorMark::Kind::error, message.message});
  for (const run::Verdict& verdict : outcome->grade.verdicts)
    if (verdict.judged && !verdict.passed && verdict.line != 0 &&
        std::ranges::find(marks, verdict.line, &EditorMark::line) == marks.end())
      marks.push_back({verdict.line, EditorMark::Kind::finding, verdict.reason});
  return marks;
}

void exercise_verdicts(draw::Ui& ui, ExerciseState& state, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.ground, 6);
  canvas.outline(box, theme.line, 6, theme.hairline);
  const Box inner = box.inset(10);
  const std::vector<VerdictRow> rows = verdict_rows(ui, state, inner.width - 10);
  const auto fits = static_cast<std::size_t>(std::max(1.0f, inner.height / row_height));
  const std::size_t last = rows.size() > fits ? rows.size() - fits : 0;
  state.first_row = std::min(state.first_row, last);
  state.first_row = ui.list("exercise.verdicts", box, state.first_row, last + 1, fits, false);
  if (const float notches = ui.wheel(box); notches != 0)
    state.first_row =
        notches < 0 ? std::min(state.first_row + 3, last) : state.first_row - std::min<std::size_t>(state.first_row, 3);
  const bool old = state.outcome && !state.up_to_date();
  for (std::size_t i = 0; i < fits && state.first_row + i < rows.size(); ++i) {
    const VerdictRow& row = rows[state.first_row + i];
    const Box line = {inner.x, inner.y + row_height * static_cast<float>(i), inner.width - 8, row_height};
    if (row.verdict == nullptr) {
      canvas.text_in(line, Style::label, theme.text, row.text);
      continue;
    }
    const ImU32 colour = old ? theme.faint : row.head ? theme.text : theme.second;
    if (row.head) paint_sign(canvas, {line.x, line.y, 18, line.height}, *row.verdict);
    canvas.text_in({line.x + 26, line.y, line.width - 26, line.height}, Style::label, colour, row.text);
    if (row.verdict->line != 0 && ui.hovered(line) && ui.input().mouse_pressed) go_to_line(state, row.verdict->line);
  }
  if (rows.size() > fits) {
    const auto all = static_cast<float>(rows.size());
    canvas.fill({box.right() - 5, box.y + 2 + (box.height - 4) * static_cast<float>(state.first_row) / all, 3,
                 (box.height - 4) * static_cast<float>(fits) / all},
                theme.second, 1.5f);
  }
}

}  // namespace warpwalk::pages

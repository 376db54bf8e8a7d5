#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/pages/exercise/exercise_view.h"
#include "core/story/labs/kernel/kernel_figures.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Style;
using Choice = ExerciseChoice::Kind;

constexpr int any_lines = 40;

/// Text and pictures one below the other.
class Column {
 public:
  Column(draw::Ui& ui, const Box& box, float top) : ui_(ui), box_(box), y_(box.y - top) {}

  draw::Canvas& canvas() { return ui_.canvas(); }
  void space(float height) { y_ += height; }
  void heading(std::string_view words) {
    space(y_ == box_.y ? 0 : 10);
    canvas().text({box_.x, y_}, Style::small_caps, ui_.theme().second, words, box_.width);
    space(24);
  }
  void paragraph(std::string_view words, ImU32 colour) {
    y_ += canvas().paragraph({box_.x, y_}, Style::label, colour, words, box_.width, any_lines) + 8;
  }
  Box row(float height) {
    const Box row = {box_.x, y_, box_.width, height};
    y_ += height;
    return row;
  }
  float y() const { return y_; }

 private:
  draw::Ui& ui_;
  Box box_;
  float y_;
};

/// The bar between the starter and the best known version, on a logarithmic axis of cycles.
void paint_place(draw::Ui& ui, const ExerciseState& state, const OpenedExercise& one, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const auto& starter_figures = state.outcome->starter;
  const auto starter = starter_figures.find("cycles");
  if (starter == starter_figures.end() || !one.exercise.best_cycles) return;
  const double best = *one.exercise.best_cycles, slow = starter->second;
  const auto own = state.outcome->grade.figures.find("cycles");
  const auto criterion = std::ranges::find_if(
      one.exercise.criteria, [](const run::Criterion& c) { return c.figure == "cycles" && c.at_most.has_value(); });
  const double low = std::min(best, slow), high = std::max(best, slow);
  const auto at = [&](double cycles) {
    const double share = high > low ? std::log(high / std::clamp(cycles, low, high)) / std::log(high / low) : 1;
    return box.x + static_cast<float>(share) * box.width;
  };
  const Box bar = {box.x, box.y + 26, box.width, 8};
  canvas.fill(bar, theme.line, 4);
  canvas.text({box.x, bar.bottom() + 6}, Style::label, theme.second,
              ui.word("exercise", "place.starter", {{"cycles", story::lab_number(slow)}}), box.width / 2);
  canvas.text({box.right(), bar.bottom() + 6}, Style::label, theme.second,
              ui.word("exercise", "place.best", {{"cycles", story::lab_number(best)}}), box.width / 2, Align::right);
  if (criterion != one.exercise.criteria.end()) {
    const float x = at(criterion->of_starter ? *criterion->at_most * slow : *criterion->at_most);
    canvas.line({x, bar.y - 5}, {x, bar.bottom() + 5}, theme.text, 2);
    canvas.text({std::clamp(x, box.x + 60, box.right() - 60), box.y + 2}, Style::label, theme.text,
                ui.word("exercise", "place.bar"), 120, Align::centre);
  }
  if (own != state.outcome->grade.figures.end()) {
    const float x = at(own->second);
    canvas.fill({bar.x, bar.y, x - bar.x, bar.height}, theme.done, 4);
    canvas.dot({x, bar.y + 4}, 7, theme.now);
    canvas.text(
        {box.x, bar.bottom() + 26}, Style::label, theme.text,
        ui.word("exercise", "place.own",
                {{"cycles", story::lab_number(own->second)}, {"times", fmt::format("{:.2f}", slow / own->second)}}),
        box.width);
  }
}

ExerciseChoice hints_part(draw::Ui& ui, Column& column, const OpenedExercise& one) {
  const std::vector<std::string>& hints = one.exercise.hints;
  ExerciseChoice choice;
  if (hints.empty()) return choice;
  column.heading(ui.word("exercise", "hints"));
  const std::size_t shown = std::min(one.work.hints, hints.size());
  for (std::size_t i = 0; i < shown; ++i) column.paragraph(fmt::format("{}. {}", i + 1, hints[i]), ui.theme().text);
  if (shown == hints.size()) {
    column.paragraph(ui.word("exercise", "no_more_hints"), ui.theme().second);
    return choice;
  }
  const Box row = column.row(36);
  float x = row.x;
  if (text_button(
          ui, "exercise.hint", x, row.y,
          ui.word("exercise", "next_hint", {{"n", fmt::to_string(shown + 1)}, {"of", fmt::to_string(hints.size())}})))
    choice.kind = Choice::hint;
  column.space(6);
  return choice;
}

/// The attempts, the latest first. A click brings the text of one back.
ExerciseChoice history_part(draw::Ui& ui, Column& column, const OpenedExercise& one) {
  ExerciseChoice choice;
  const std::vector<run::PastAttempt>& attempts = one.work.attempts;
  if (attempts.empty()) return choice;
  column.heading(ui.word("exercise", "history"));
  draw::Canvas& canvas = ui.canvas();
  for (std::size_t i = attempts.size(); i-- > 0;) {
    const run::PastAttempt& attempt = attempts[i];
    const Box row = column.row(24);
    const std::string words =
        ui.word("exercise", attempt.passed ? "attempt.passed" : "attempt",
                {{"n", fmt::to_string(i + 1)},
                 {"passed", fmt::to_string(attempt.criteria_passed)},
                 {"of", fmt::to_string(attempt.criteria)},
                 {"time", attempt.time.size() >= 16
                              ? fmt::format("{} {}", attempt.time.substr(0, 10), attempt.time.substr(11, 5))
                              : attempt.time}});
    if (ui.activated(fmt::format("exercise.attempt.{}", i), row)) choice = {Choice::take_back, i};
    if (ui.hovered(row)) {
      canvas.fill(row, draw::mixed(ui.theme().second, ui.theme().ground, 0.16f), 4);
      ui.tooltip(ui.word("exercise", "take_back"));
    }
    canvas.fill({row.x, row.y + 5, 4, row.height - 10}, attempt.passed ? ui.theme().done : ui.theme().launch, 2);
    canvas.text({row.x + 12, row.y + 4}, Style::label, ui.theme().text, words, row.width - 110);
    if (attempt.cycles)
      canvas.text({row.right() - 6, row.y + 4}, Style::label, ui.theme().second,
                  ui.word("exercise", "cycles", {{"cycles", story::lab_number(*attempt.cycles)}}), 110, Align::right);
  }
  return choice;
}

}  // namespace

ExerciseChoice exercise_side(draw::Ui& ui, ExerciseState& state, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.ground, 6);
  canvas.outline(box, theme.line, 6, theme.hairline);
  const Box inner = {box.x + 14, box.y + 12, box.width - 30, box.height - 24};
  if (const float notches = ui.wheel(box); notches != 0) state.side_top -= 60 * notches;
  const OpenedExercise& one = *state.opened();
  canvas.clip({box.x, box.y + 2, box.width, box.height - 4});
  Column column(ui, inner, state.side_top);
  const float top = column.y();
  ExerciseChoice choice;
  column.heading(ui.word("exercise", "task"));
  for (const std::string& paragraph : one.exercise.task) column.paragraph(paragraph, theme.text);
  if (!one.exercise.look.empty()) {
    const Box row = column.row(36);
    float x = row.x;
    const std::string section = fmt::format("start.{}", one.exercise.look);
    const std::string words = one.exercise.look.starts_with("lab/") ? ui.word(section, "title") : one.exercise.look;
    if (text_button(ui, "exercise.look", x, row.y, ui.word("exercise", "look", {{"where", words}})))
      choice.kind = Choice::look;
    column.space(6);
  }
  if (state.outcome && state.outcome->error.empty() && state.outcome->starter.contains("cycles") &&
      one.exercise.best_cycles) {
    column.heading(ui.word("exercise", "place"));
    paint_place(ui, state, one, column.row(84));
  }
  for (const ExerciseChoice& part : {hints_part(ui, column, one), history_part(ui, column, one)})
    if (part.kind != Choice::none) choice = part;
  canvas.unclip();
  const float height = column.y() - top;
  state.side_top = std::clamp(state.side_top, 0.0f, std::max(0.0f, height - inner.height));
  if (height > inner.height)
    canvas.fill({box.right() - 5, box.y + 2 + (box.height - 4) * state.side_top / height, 3,
                 (box.height - 4) * inner.height / height},
                theme.second, 1.5f);
  return choice;
}

}  // namespace warpwalk::pages

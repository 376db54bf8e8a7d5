#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "app/pages/exercise/exercise_view.h"
#include "core/run/exercise/exercise_scale.h"
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

/// The scale of cycles, from the worst that is accepted to the best known version, and the own place on it.
void paint_place(draw::Ui& ui, const run::ExerciseScale& scale, std::optional<double> own, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const auto at = [&](double cycles) { return box.x + static_cast<float>(scale.share(cycles)) * box.width; };
  const auto words = [&](std::string_view key, double cycles) {
    return ui.word("exercise", key, {{"cycles", story::lab_number(cycles)}});
  };
  const Box bar = {box.x, box.y + 26, box.width, 8};
  const float accepted = box.x + static_cast<float>(scale.accepted_from()) * box.width;
  canvas.fill(bar, theme.line, 4);
  canvas.fill({accepted, bar.y, bar.right() - accepted, bar.height}, draw::mixed(theme.done, theme.line, 0.35f), 4);
  if (scale.accepted) {
    canvas.line({accepted, bar.y - 5}, {accepted, bar.bottom() + 5}, theme.text, 2);
    canvas.text({accepted, box.y + 2}, Style::label, theme.text, words("place.accepted", *scale.accepted),
                box.right() - accepted);
  }
  if (scale.starter) {
    const float x = at(*scale.starter);
    canvas.line({x, bar.y - 3}, {x, bar.bottom() + 3}, theme.second, 2);
    canvas.text({std::min(x, box.x + box.width / 2), bar.bottom() + 6}, Style::label, theme.second,
                words("place.starter", *scale.starter), box.width / 2);
  }
  canvas.text({box.right(), bar.bottom() + 6}, Style::label, theme.second, words("place.best", scale.known_best),
              box.width / 2, Align::right);
  if (!own) return;
  const float x = at(*own);
  const bool enough = !scale.accepted || *own <= *scale.accepted;
  if (enough) canvas.fill({accepted, bar.y, x - accepted, bar.height}, theme.done, 4);
  canvas.dot({x, bar.y + 4}, 7, theme.now);
  std::string text = words("place.own", *own);
  if (scale.starter)
    text += " " + ui.word("exercise", "place.times",
                          {{"times", base::with_marks(fmt::format("{:.2f}", *scale.starter / *own))}});
  if (*own <= scale.known_best)
    text += " " + ui.word("exercise", "place.new_best");
  else if (!enough)
    text += " " + ui.word("exercise", "place.more",
                          {{"times", base::with_marks(fmt::format("{:.2f}", *own / *scale.accepted))}});
  canvas.paragraph({box.x, bar.bottom() + 26}, Style::label, theme.text, text, box.width, 2);
}

/// The own place, once there are cycles to compare.
void place_part(draw::Ui& ui, Column& column, const ExerciseState& state, const OpenedExercise& one) {
  if (!state.outcome || !state.outcome->error.empty()) return;
  const auto cycles = state.outcome->grade.figures.find("cycles");
  const auto own =
      cycles == state.outcome->grade.figures.end() ? std::optional<double>() : std::optional(cycles->second);
  const auto scale = run::exercise_scale(one.exercise, state.outcome->starter, state.outcome->starter_right, own);
  if (!scale) return;
  column.heading(ui.word("exercise", "place"));
  paint_place(ui, *scale, own, column.row(own ? 106 : 66));
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
  place_part(ui, column, state, one);
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

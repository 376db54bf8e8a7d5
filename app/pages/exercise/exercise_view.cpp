#include "app/pages/exercise/exercise_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Key;
using draw::Style;
using Choice = ExerciseChoice::Kind;

constexpr float margin = 24, gap = 16, head_height = 56, button_height = 32, caption_height = 26;

/// The keys that work wherever the focus is.
ExerciseChoice exercise_keys(draw::Ui& ui, ExerciseState& state, bool running) {
  ExerciseChoice choice;
  for (const draw::KeyPress& press : ui.input().keys) {
    if (!press.control) continue;
    if (press.key == Key::character && press.character == U'o') choice.kind = Choice::list;
    if (state.opened() == nullptr) continue;
    if (press.key == Key::enter && !running) choice.kind = Choice::run;
    if (press.key != Key::character) continue;
    if (press.character == U'h') choice.kind = Choice::hint;
    if (press.character == U's') choice.kind = Choice::ask_name;
    if (press.character == U'g') choice.kind = Choice::walk;
    if (press.character == U'j') choice.kind = Choice::next;
    if (press.character == U'k') choice.kind = Choice::previous;
  }
  return choice;
}

/// What a row of the list says about the work on an exercise.
std::string standing(draw::Ui& ui, const OpenedExercise& one) {
  if (one.work.solved()) {
    const auto best = one.work.best_cycles();
    return best ? ui.word("exercise", "solved.cycles", {{"cycles", fmt::format("{:.0f}", *best)}})
                : ui.word("exercise", "solved");
  }
  if (one.work.attempts.empty()) return ui.word("exercise", "new");
  return ui.word("exercise", "tried", {{"n", fmt::to_string(one.work.attempts.size())}});
}

ExerciseChoice exercise_list(draw::Ui& ui, ExerciseState& state, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.ground, 6);
  canvas.outline(box, theme.line, 6, theme.hairline);
  if (state.all.empty()) {
    canvas.paragraph({box.x + 16, box.y + 16}, Style::body, theme.second, ui.word("exercise", "none"), box.width - 32,
                     3);
    return {};
  }
  const Box inner = box.inset(10);
  constexpr float row = 54;
  // Two columns if the window is wide enough, so that the whole course is in view.
  const std::size_t columns = inner.width >= 900 ? 2 : 1;
  const auto room = static_cast<std::size_t>(std::max(1.0f, inner.height / row));
  const std::size_t fits = std::min(room, (state.all.size() + columns - 1) / columns);  // as many in each column
  const std::size_t in_view = fits * columns;
  state.listed = std::min(state.listed, state.all.size() - 1);
  state.listed = ui.list("exercise.list", box, state.listed, state.all.size(), fits, true);
  if (const float notches = ui.wheel(box); notches != 0)
    state.listed = notches < 0 ? std::min(state.listed + 1, state.all.size() - 1)
                               : state.listed - std::min<std::size_t>(state.listed, 1);
  ExerciseChoice choice;
  for (const draw::KeyPress& press : ui.input().keys)
    if (press.key == Key::enter && !press.control) choice = {Choice::open, state.listed};
  const std::size_t first = state.listed >= in_view ? state.listed + 1 - in_view : 0;
  const float width = inner.width / static_cast<float>(columns);
  for (std::size_t i = 0; i < in_view && first + i < state.all.size(); ++i) {
    const std::size_t number = first + i;
    const OpenedExercise& one = state.all[number];
    const Box place = {inner.x + width * static_cast<float>(i / fits), inner.y + row * static_cast<float>(i % fits),
                       width - 8, row - 6};
    const bool here = number == state.listed, over = ui.hovered(place);
    if (here || over) canvas.fill(place, draw::mixed(theme.second, theme.ground, here ? 0.28f : 0.16f), 6);
    const ImU32 colour = one.work.solved() ? theme.done : theme.line;
    canvas.fill({place.x, place.y + 4, 4, place.height - 8}, colour, 2);
    const std::string how = standing(ui, one);
    const float beside = canvas.text_width(Style::label, how);
    canvas.text({place.right() - 12, place.y + 6}, Style::label, one.work.solved() ? theme.text : theme.second, how,
                1e6f, Align::right);
    canvas.text({place.x + 16, place.y + 5}, Style::body, theme.text,
                fmt::format("{}. {}", number + 1, one.exercise.title), place.width - beside - 44);
    canvas.text({place.x + 16, place.y + 28}, Style::label, theme.second, one.exercise.task.front(), place.width - 30);
    if (over && ui.input().mouse_pressed) choice = {Choice::open, number};
  }
  return choice;
}

std::string progress_words(draw::Ui& ui, const ExerciseProgress& progress) {
  const std::string what = ui.word("kernel_lab", progress.what == "cycles"    ? "doing.cycles"
                                                 : progress.what == "compile" ? "doing.compile"
                                                                              : "doing.run");
  return progress.share ? fmt::format("{}: {:.0f} %", what, 100 * *progress.share)
                        : fmt::format("{} … {:.0f} s", what, std::floor(progress.seconds));
}

/// The buttons between the editor and the verdicts.
ExerciseChoice run_buttons(draw::Ui& ui, ExerciseState& state, const ExerciseProgress& progress, const Box& row) {
  ExerciseChoice choice;
  float x = row.x;
  if (progress.running) {
    if (text_button(ui, "exercise.cancel", x, row.y, ui.word("kernel_lab", "cancel"), true))
      choice.kind = Choice::cancel;
    draw::Canvas& canvas = ui.canvas();
    canvas.text({x + 6, row.y + 2}, Style::label, ui.theme().second, progress_words(ui, progress), row.right() - x - 6);
    const Box bar = {x + 6, row.y + 24, row.right() - x - 6, 5};
    canvas.fill(bar, ui.theme().line, 2);
    if (progress.share)
      canvas.fill({bar.x, bar.y, bar.width * static_cast<float>(std::clamp(*progress.share, 0.0, 1.0)), bar.height},
                  ui.theme().done, 2);
    return choice;
  }
  if (state.passed() && state.has_next() &&
      text_button(ui, "exercise.go_on", x, row.y, ui.word("exercise", "go_on"), true))
    choice.kind = Choice::next;
  if (text_button(ui, "exercise.run", x, row.y, ui.word("exercise", "run"), !state.passed())) choice.kind = Choice::run;
  if (text_button(ui, "exercise.reset", x, row.y, ui.word("exercise", "reset"))) choice.kind = Choice::reset;
  if (text_button(ui, "exercise.export", x, row.y, ui.word("exercise", "export"), state.exporting))
    choice.kind = Choice::ask_name;
  if (state.in_browser &&
      text_button(ui, "exercise.language", x, row.y,
                  ui.word("exercise", state.language == run::DraftLanguage::ptx ? "to_cuda" : "to_ptx")))
    choice.kind = Choice::language;
  if (state.up_to_date() && state.outcome->grade.run &&
      text_button(ui, "exercise.walk", x, row.y, ui.word("kernel_lab", "walk")))
    choice.kind = Choice::walk;
  return choice;
}

/// The field for the name, below the buttons, and the two ways to hand in; Enter saves a file.
ExerciseChoice name_field(draw::Ui& ui, ExerciseState& state, const Box& row) {
  const std::string label = ui.word("exercise", "name");
  const float width =
      ui.canvas().text_in({row.x, row.y, row.width / 2, row.height}, Style::label, ui.theme().second, label);
  const std::string save = ui.word("exercise", "save"), copy = ui.word("exercise", "copy");
  const float ways = ui.canvas().text_width(Style::label, save) + ui.canvas().text_width(Style::label, copy) + 76;
  const Box field = {row.x + width + 12, row.y + 1, std::clamp(row.width - width - 12 - ways, 80.0f, 320.0f),
                     row.height - 2};
  ui.text_place("exercise.name", field);
  const bool typing = ui.focused("exercise.name");
  ExerciseChoice choice;
  if (typing)
    for (const draw::KeyPress& press : ui.input().keys) {
      if (press.key == Key::enter && !press.control && !state.student.text.empty()) choice.kind = Choice::save;
      if (!press.control || press.character == U'v') state.student.type(press, &ui.memory().copied);
    }
  draw::point_field(ui, "exercise.name", field, state.student);
  draw::paint_field(ui.canvas(), field, state.student, typing, ui.word("exercise", "name.hint"));
  float x = field.right() + 8;
  const bool named = !state.student.text.empty();
  if (text_button(ui, "exercise.save", x, row.y, save) && named) choice.kind = Choice::save;
  if (text_button(ui, "exercise.copy", x, row.y, copy) && named) choice.kind = Choice::copy;
  return choice;
}

ExerciseChoice opened_exercise(draw::Ui& ui, ExerciseState& state, const ExerciseProgress& progress, const Box& page) {
  draw::Canvas& canvas = ui.canvas();
  const OpenedExercise& one = *state.opened();
  const float side_width = std::clamp(page.width * 0.38f, 420.0f, 680.0f);
  const Box left = {page.x, page.y, page.width - side_width - gap, page.height};
  const Box side = {page.right() - side_width, page.y, side_width, page.height};
  const float results = std::clamp(left.height * 0.4f, 200.0f, 420.0f);
  const bool ptx = run::language_of(state.source.text()) == run::DraftLanguage::ptx;
  const float name = canvas.text({left.x, left.y + 4}, Style::label, canvas.theme().text,
                                 ptx ? "kernel.ptx" : "kernel.cu", left.width);
  const std::string kernel = ui.word("exercise", "kernel", {{"kernel", one.exercise.kernel}});
  canvas.text({left.right(), left.y + 4}, Style::label, canvas.theme().second, kernel, left.width / 2, Align::right);
  if (state.in_browser)
    canvas.text({left.x + name + 16, left.y + 4}, Style::label, canvas.theme().second,
                ui.word("exercise", ptx ? "with_ptx" : "with_cuda"),
                left.width - name - 32 - canvas.text_width(Style::label, kernel));
  const float buttons_y = left.bottom() - results;
  const std::vector<EditorMark> marks = state.marks();
  editor_view(ui, state.memory, "exercise.source",
              {left.x, left.y + caption_height, left.width, buttons_y - 10 - left.y - caption_height}, state.source,
              marks, "//");
  ExerciseChoice choice = run_buttons(ui, state, progress, {left.x, buttons_y, left.width, button_height});
  float y = buttons_y + button_height + 8;
  if (state.exporting) {
    const ExerciseChoice named = name_field(ui, state, {left.x, y, left.width, button_height});
    if (named.kind != Choice::none) choice = named;
    y += button_height + 8;
  }
  exercise_verdicts(ui, state, {left.x, y, left.width, left.bottom() - y});
  const ExerciseChoice beside = exercise_side(ui, state, side);
  return beside.kind != Choice::none ? beside : choice;
}

}  // namespace

bool text_button(draw::Ui& ui, std::string_view id, float& x, float y, const std::string& text, bool on) {
  const Box box = {x, y, ui.canvas().text_width(Style::label, text) + 26, button_height};
  x = box.right() + 8;
  ui.canvas().outline(box, ui.theme().line, 6, ui.theme().hairline);
  return ui.button(id, box, text, on);
}

ExerciseChoice exercise_view(draw::Ui& ui, ExerciseState& state, const ExerciseProgress& progress,
                             const std::string& gpu) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  if (state.memory.focus.empty()) state.memory.focus = state.listing ? "exercise.list" : "exercise.source";
  ExerciseChoice choice = exercise_keys(ui, state, progress.running);
  canvas.fill({0, 0, canvas.width(), canvas.height()}, theme.panel);

  const OpenedExercise* const one = state.opened();
  const std::string title =
      one == nullptr
          ? ui.word("exercise", "heading")
          : ui.word("exercise", "title", {{"n", fmt::to_string(state.open + 1)}, {"title", one->exercise.title}});
  float x = margin + canvas.text({margin, 14}, Style::heading, theme.text, title, canvas.width() * 0.45f) + 18;
  const std::string note = state.note.empty() ? ui.word("kernel_lab", "on", {{"gpu", gpu}}) : state.note;
  const std::string closing = ui.word("exercise", one == nullptr ? "closing.list" : "closing");
  const float closing_width = std::min(canvas.text_width(Style::label, closing), canvas.width() * 0.4f);
  if (one != nullptr && text_button(ui, "exercise.all", x, 11, ui.word("exercise", "all"))) choice.kind = Choice::list;
  if (state.has_previous() && text_button(ui, "exercise.previous", x, 11, ui.word("exercise", "previous")))
    choice.kind = Choice::previous;
  if (state.has_next() && text_button(ui, "exercise.next", x, 11, ui.word("exercise", "next")))
    choice.kind = Choice::next;
  x += canvas.text({x + 6, 20}, Style::label, theme.second, note,
                   std::max(0.0f, canvas.width() - margin - closing_width - 24 - x));
  canvas.text({canvas.width() - margin, 20}, Style::label, theme.second, closing, closing_width, Align::right);

  const Box page = {margin, head_height, canvas.width() - 2 * margin, canvas.height() - head_height - margin};
  const ExerciseChoice inside =
      one == nullptr ? exercise_list(ui, state, page) : opened_exercise(ui, state, progress, page);
  return inside.kind != Choice::none ? inside : choice;
}

}  // namespace warpwalk::pages

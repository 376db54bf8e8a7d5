// Lab: an exercise of the course, and the course. The page on which it is solved belongs to the window
// (app/pages/exercise).
#include "core/run/exercise/exercise.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/names/kernel_name.h"
#include "core/records/hardware.h"
#include "core/story/labs/kernel/kernel_figures.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view exercise_lab_name = "lab/exercise";
constexpr std::string_view exercise_words = "lab/exercise.word";

std::string exercise_word(const SceneInput& input, std::string_view key, const Narration::Values& values = {}) {
  return input.narration.text(exercise_words, key, values);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    lines.emplace_back(line);
  }
  return lines;
}

/// "at most 0.5 times the starter's", "at least 1".
std::string limit_text(const SceneInput& input, const run::Criterion& criterion) {
  const double limit = criterion.at_most ? *criterion.at_most : *criterion.at_least;
  std::string key = criterion.at_most ? "at_most" : "at_least";
  if (criterion.of_starter) key += ".of_starter";
  return exercise_word(input, key, {{"limit", with_marks(fmt::format("{:.6g}", limit))}});
}

std::string criterion_text(const SceneInput& input, const std::string& name) {
  std::string key = name;
  std::ranges::replace(key, '/', '.');
  return input.narration.text("exercise.criterion", key);
}

Panel starter_panel(const run::Exercise& exercise) {
  CodePicture code;
  code.columns = {text_column("starter.cu", lines_of(exercise.starter), 0, 1)};
  return {{}, 1.4, std::move(code)};
}

Panel criteria_panel(const SceneInput& input, const run::Exercise& exercise) {
  TablePicture table;
  table.columns = {{exercise_word(input, "criterion"), 3, false, false, true},
                   {exercise_word(input, "wanted"), 3, false, false, true}};
  for (const char* const always : {"compiles", "correct", "findings", "block_order"})
    table.rows.push_back({{word_cell(criterion_text(input, always)),
                           word_cell(exercise_word(input, fmt::format("{}.wanted", always)))}});
  for (const run::Criterion& criterion : exercise.criteria)
    table.rows.push_back(
        {{word_cell(criterion_text(input, criterion.name())), word_cell(limit_text(input, criterion))}, true});
  return {{}, 1, std::move(table)};
}

/// The exercises with the cycles of their best known versions; the chosen one is marked.
Panel course_panel(const SceneInput& input, const std::vector<run::Exercise>& exercises, std::size_t from,
                   std::size_t to, std::size_t chosen) {
  TablePicture table;
  table.columns = {{exercise_word(input, "exercise"), 2.2},
                   {exercise_word(input, "best"), 1.5, true},
                   {exercise_word(input, "best_measured"), 1.5, true}};
  const auto cycles = [](const std::optional<double>& value) { return word_cell(value ? lab_number(*value) : "–"); };
  for (std::size_t i = from; i < to; ++i) {
    const run::Exercise& exercise = exercises[i];
    table.rows.push_back({{word_cell(fmt::format("{}. {}", i + 1, exercise.title)), cycles(exercise.best_cycles),
                           cycles(exercise.best_measured)},
                          i == chosen});
  }
  return {{}, 1, std::move(table)};
}

// The course, and the exercise that is chosen.
struct Course {
  const SceneInput& input;
  const std::vector<run::Exercise>& exercises;
  ControlSet controls{input, exercise_lab_name};
  std::size_t chosen = 0;

  explicit Course(const SceneInput& in) : input(in), exercises(*in.hardware.exercises) {
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < exercises.size(); ++i) numbers.push_back(fmt::to_string(i + 1));
    chosen = controls.choice("exercise", numbers, 0, "first");
  }
  const run::Exercise& exercise() const { return exercises[chosen]; }
};

Narration::Values course_values(const Course& course) {
  const run::Exercise& exercise = course.exercise();
  return {{"n", fmt::to_string(course.chosen + 1)},
          {"title", exercise.title},
          {"task", exercise.task.front()},
          {"exercises", fmt::to_string(course.exercises.size())},
          {"hints", fmt::to_string(exercise.hints.size())}};
}

void exercise_facts(const Course& course, FactWriter& facts) {
  facts.counted("launches", course.exercise().sizes.size() + 1);
  facts.counted("criteria", course.exercise().criteria.size() + 4);
}

PanelRows task_panels(const Course& course) {
  return {{1, {starter_panel(course.exercise()), criteria_panel(course.input, course.exercise())}}};
}

PanelRows course_panels(const Course& course) {
  const std::size_t count = course.exercises.size(), half = (count + 1) / 2;
  return {{1,
           {course_panel(course.input, course.exercises, 0, half, course.chosen),
            course_panel(course.input, course.exercises, half, count, course.chosen)}}};
}

constexpr Frame<Course> course_frame = {.subject = [](const Here& here) { return Course(here.input); },
                                        .stop = "front_end",
                                        .instead = [](const Here& here, Narration::Values&) -> std::string {
                                          return here.input.hardware.exercises ? "" : "none";
                                        },
                                        .values = course_values,
                                        .facts = exercise_facts,
                                        .complete = take_controls};

constexpr BeatOf<Course> course_beats[] = {{.key = "task", .needs = Needs::history, .panels = task_panels},
                                           {.key = "course", .panels = course_panels}};

}  // namespace

const Contents& exercise_lab() {
  static const BeatTable table(exercise_lab_name, course_frame, course_beats);
  return table;
}

}  // namespace warpwalk::story

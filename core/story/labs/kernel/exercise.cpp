// Lab: an exercise of the course, and the course. The page on which it is solved belongs to the window
// (app/pages/exercise).
#include "core/run/exercise/exercise.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/names/kernel_name.h"
#include "core/story/labs/kernel/kernel_figures.h"
#include "core/story/labs/lab.h"
#include "core/story/records/hardware.h"

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
  return exercise_word(input, key, {{"limit", fmt::format("{:.6g}", limit)}});
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
  table.columns = {{exercise_word(input, "criterion"), 3}, {exercise_word(input, "wanted"), 3}};
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

}  // namespace

std::vector<Beat> exercise_beats(const Trace&, const Walk&) { return {{"task", 0, true}, {"course", 0}}; }

Stage exercise_lab(const SceneInput& input) {
  std::vector<Beat> beats = exercise_beats(input.trace, input.walk);
  Beat& shown = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const bool task = shown.key == "task";
  ControlSet controls(input, exercise_lab_name);
  if (!input.hardware.exercises) {
    shown.key = "none";
    Stage stage = common_stage(input, exercise_lab_name, beats, {}, "front_end");
    stage.picture = std::make_shared<const Panels>();
    return stage;
  }
  const std::vector<run::Exercise>& exercises = *input.hardware.exercises;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < exercises.size(); ++i) numbers.push_back(fmt::to_string(i + 1));
  const std::size_t chosen = controls.choice("exercise", numbers, 0, "first");
  const run::Exercise& exercise = exercises[chosen];
  const Narration::Values values = {{"n", fmt::to_string(chosen + 1)},
                                    {"title", exercise.title},
                                    {"task", exercise.task.front()},
                                    {"exercises", fmt::to_string(exercises.size())},
                                    {"hints", fmt::to_string(exercise.hints.size())}};
  Stage stage = common_stage(input, exercise_lab_name, beats, values, "front_end");
  FactWriter facts(input, values, stage);
  facts.counted("launches", exercise.sizes.size() + 1);
  facts.counted("criteria", exercise.criteria.size() + 4);
  Panels panels;
  if (task) {
    panels.rows.push_back({1, {starter_panel(exercise), criteria_panel(input, exercise)}});
  } else {
    const std::size_t half = (exercises.size() + 1) / 2;
    panels.rows.push_back({1,
                           {course_panel(input, exercises, 0, half, chosen),
                            course_panel(input, exercises, half, exercises.size(), chosen)}});
  }
  stage.picture = std::make_shared<const Panels>(std::move(panels));
  stage.controls = controls.take();
  return stage;
}

}  // namespace warpwalk::story

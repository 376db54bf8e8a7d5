#include "core/story/labs/tasks.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpwalk::story {

Panel tasks_panel(const SceneInput& input, std::string_view lab, const std::vector<Task>& tasks) {
  const auto word = [&](std::string_view key, const Narration::Values& values = {}) {
    return input.narration.text("lab.task", key, values);
  };
  TablePicture table;
  table.columns = {{word("task"), 6, false, false, true}, {word("state"), 1}};
  const std::string section = fmt::format("{}.task", lab);
  for (const Task& task : tasks)
    table.rows.push_back({{word_cell(input.narration.text(section, task.key)),
                           word_cell(word(task.done ? "done" : "open"), task.done ? Tone::work : Tone::quiet)},
                          false});
  const auto done = std::ranges::count(tasks, true, &Task::done);
  return {word("heading", {{"done", fmt::to_string(done)}, {"all", fmt::to_string(tasks.size())}}), 1,
          std::move(table)};
}

}  // namespace warpwalk::story

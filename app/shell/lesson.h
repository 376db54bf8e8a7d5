#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/shell/view.h"

namespace warpwalk::shell {

/// One step of a lesson: what is shown, and what the teacher wants to say.
struct LessonStep {
  View view;
  std::string note;
};

/// A way through scenes and files that a teacher wrote down.
struct Lesson {
  std::filesystem::path file;
  std::string title;
  std::vector<LessonStep> steps;
};

/// Whether a file claims to be a lesson: a small JSON file with the key "warpwalk_lesson".
bool is_lesson(const std::filesystem::path& file);

/// Reads a lesson file (JSON):
///
///     { "warpwalk_lesson": 1, "title": "Why the CPU is ahead",
///       "steps": [ {"file": "relu_matmul.json.gz", "scene": "boardroom", "at": "b3", "note": "..."},
///                  {"scene": "sm", "at": "b2", "follow": "op:2", "set": {"sm.registers": 64}, "names": "hardware"} ] }
///
/// A file is relative to the lesson, or else to `walks` (assets/walks); without one the step stays in the file before.
/// `scene` is the first, `at` b1, `follow` the op with the most GPU time where they are missing. On failure: one line,
/// the file, the step, what is wrong and what belongs there.
std::pair<Lesson, std::optional<std::string>> load_lesson(const std::filesystem::path& file,
                                                          const std::filesystem::path& walks);
std::pair<Lesson, std::optional<std::string>> parse_lesson(std::string_view text, const std::filesystem::path& file,
                                                           const std::filesystem::path& walks);

}  // namespace warpwalk::shell

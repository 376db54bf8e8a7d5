#pragma once

// This folder has lessons as data: reading and writing their files, drafts, the questions of their steps. The page to
// compose one is in app/pages/lesson.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/view.h"
#include "app/lessons/lesson_question.h"
#include "core/base/result.h"

namespace warpwalk::lessons {

/// One step of a lesson: a view, what it says to a person who learns alone, the note for the lecturer, and perhaps a
/// question.
struct LessonStep {
  document::View view;
  std::string note;  ///< for the lecturer's window and handouts with notes; may be empty
  std::optional<LessonQuestion> question;
  std::string text = {};  ///< for the learner, below the picture; empty: the note stands there
};

/// A sequence of views that a teacher wrote.
struct Lesson {
  std::filesystem::path file;
  std::string title;
  std::vector<LessonStep> steps;
};

/// True if the file is a small JSON file with the key "warpwalk_lesson".
bool is_lesson(const std::filesystem::path& file);

/// Reads a lesson file (JSON):
///
///     { "warpwalk_lesson": 1, "title": "Why the CPU is ahead",
///       "steps": [ {"file": "relu_matmul.json.gz", "scene": "boardroom", "at": "launch",
///                   "text": "for the learner", "note": "for the lecturer"},
///                  {"scene": "sm", "at": "fill", "follow": "op:2", "set": {"sm.registers": 64}, "names": "hardware",
///                   "question": {"text": "What runs out first?", "options": ["registers", "warp slots"], "right": 1,
///                                "why": "...", "wrong": ["", "why the second option is wrong"]}} ] }
///
/// A file is relative to the lesson, or else to `walks` (assets/walks); a step without a file uses the previous one.
/// "at" is the key of a beat, or its number ("b2"). The setting of a text control is a string. Defaults: the first
/// scene, its first beat, the op with the most GPU time. On failure: one line with the file, the step, what is wrong
/// and what is expected.
base::Result<Lesson> load_lesson(const std::filesystem::path& file, const std::filesystem::path& walks);
base::Result<Lesson> parse_lesson(std::string_view text, const std::filesystem::path& file,
                                  const std::filesystem::path& walks);

}  // namespace warpwalk::lessons

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
#include "app/lessons/lesson_slide.h"
#include "core/base/result.h"

namespace warpwalk::lessons {

/// One step of a lesson: a view, or a slide or picture of the lecturer's own; what it says to the class, the note for
/// the lecturer, and perhaps a question.
struct LessonStep {
  document::View view;  ///< of a slide: that of the step before, so that what is open stays open
  std::string note;     ///< for the lecturer's window and handouts with notes; may be empty
  std::optional<LessonQuestion> question;
  std::string text = {};   ///< for the class: projected, or below a learner's picture; empty: the note stands there
  double minutes = 0;      ///< planned; 0: not planned
  std::string title = {};  ///< in place of the scene's; empty: none
  std::optional<LessonSlide> slide = {};
  std::optional<LessonPicture> picture = {};

  /// Whether it shows something of the lecturer's own in place of a scene.
  bool is_slide() const { return slide || picture; }
};

/// Of a step.
constexpr int max_minutes = 600;

/// A sequence of views that a teacher wrote.
struct Lesson {
  std::filesystem::path file;
  std::string title;
  std::vector<LessonStep> steps;
};

/// Gives each slide and picture the view of the step before it, or those at the beginning that of the first scene.
void place_slides(std::vector<LessonStep>& steps);

/// True if the file is a small JSON file with the key "warpwalk_lesson".
bool is_lesson(const std::filesystem::path& file);

/// Reads a lesson file (JSON):
///
///     { "warpwalk_lesson": 1, "title": "Why the CPU is ahead",
///       "steps": [ {"file": "relu_matmul.json.gz", "scene": "boardroom", "at": "launch",
///                   "text": "for the learner", "note": "for the lecturer"},
///                  {"scene": "sm", "at": "fill", "follow": "op:2", "set": {"sm.registers": 64}, "names": "hardware",
///                   "title": "One SM", "minutes": 3,
///                   "question": {"text": "What runs out first?", "options": ["registers", "warp slots"], "right": 1,
///                                "why": "...", "wrong": ["", "why the second option is wrong"], "id": "limit"}},
///                  {"slide": {"title": "Homework", "text": "Two kernels:\n- copy\n- transpose"},
///                   "picture": "own.png"} ] }
///
/// A file is relative to the lesson, or else to `walks` (assets/walks); a step without a file uses the previous one. A
/// picture is relative to the lesson. A step with a slide or a picture, or both, has no scene. "at" is the key of a
/// beat, or its number ("b2"). The setting of a text control is a string. Defaults: the first scene, its first beat,
/// the op with the most GPU time. A lesson that comes with warpwalk (assets/lessons) is in the
/// language of `words`, as far as they have its texts (core/words/lesson_texts.h). On failure: one line with the file,
/// the step, what is wrong and what is expected.
base::Result<Lesson> load_lesson(const std::filesystem::path& file, const std::filesystem::path& walks,
                                 const story::Narration* words = nullptr);
base::Result<Lesson> parse_lesson(std::string_view text, const std::filesystem::path& file,
                                  const std::filesystem::path& walks, const story::Narration* words = nullptr);

}  // namespace warpwalk::lessons

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/lessons/lesson.h"
#include "core/base/result.h"

namespace warpwalk::lessons {

/// A question as it is typed, which may be incomplete.
struct DraftQuestion {
  std::string text;
  std::string options;  ///< separated by "|"; a "|" or "\" in an option has a "\" before it
  std::string right;    ///< the number of the right option, from 1
  std::string why;
  bool shows = false;                   ///< as LessonQuestion::shows; not typed, but kept
  std::vector<std::string> wrong = {};  ///< as LessonQuestion::wrong; not typed, but kept while the options are as many
  bool empty() const { return text.empty() && options.empty() && right.empty() && why.empty(); }
  friend bool operator==(const DraftQuestion&, const DraftQuestion&) = default;
};
DraftQuestion draft_of(const std::optional<LessonQuestion>& question);
/// The question, none if nothing is typed, or what is wrong with it: a key of [lesson_page] in the narration.
base::Result<std::optional<LessonQuestion>> question_of(const DraftQuestion& typed);

struct DraftStep {
  document::View view;
  std::string title;  ///< of the stage; empty: not known yet
  std::string note;
  DraftQuestion question;
  std::uint64_t id = 0;   ///< stays the same if the step moves; set by LessonDraft
  std::string text = {};  ///< for the learner; not typed, but kept
};

/// What a draft consists of.
struct DraftContent {
  std::vector<DraftStep> steps;
  std::string title;
  std::filesystem::path file;  ///< see LessonDraft::file()
};

/// A lesson that is being composed: its steps in order, the current one, and undo of what would lose work.
class LessonDraft {
 public:
  LessonDraft() = default;
  /// A draft that is not saved yet, at its last step.
  explicit LessonDraft(DraftContent content);

  const std::vector<DraftStep>& steps() const { return content_.steps; }
  std::size_t at() const { return at_; }  ///< the current step; 0 if there is none
  const std::string& title() const { return content_.title; }
  /// The file that the lesson was read from or saved to; empty: none yet.
  const std::filesystem::path& file() const { return content_.file; }
  /// Grows with each change.
  std::uint64_t revision() const { return revision_; }
  /// Whether something is not in the file.
  bool unsaved() const { return revision_ != saved_; }

  void go(std::size_t step);
  /// Adds a step after the current one, which it becomes.
  void add(DraftStep step);
  void remove();
  /// Moves a step to another place.
  void move(std::size_t from, std::size_t to);
  void set_title(std::string title);
  void set_note(std::string note);
  void set_question(DraftQuestion question);
  /// Notes the title of a step's stage, which is not a part of the lesson.
  void name(std::size_t step, std::string title) { content_.steps[step].title = std::move(title); }
  /// Another lesson takes the place of this one.
  void replace(const Lesson& lesson);
  /// Undoes the last removal, move or replacement; what was added or typed since then stays.
  void undo();
  bool can_undo() const { return !undo_.empty(); }
  /// The lesson is in this file now.
  void saved_to(std::filesystem::path file);

 private:
  struct Removed {
    std::uint64_t after = 0;  // the step before it; 0: it was the first one
    DraftStep step;
  };
  struct Moved {
    std::uint64_t id = 0, after = 0;
  };
  struct Replaced {
    DraftContent content;
    bool unsaved = false;
  };
  using Done = std::variant<Removed, Moved, Replaced>;

  DraftContent content_;
  std::size_t at_ = 0;
  std::uint64_t revision_ = 0, saved_ = 0, next_id_ = 1;
  std::vector<Done> undo_;
};

/// The lesson as it would be saved to `file`. On failure: the step, from 0, and a key of [lesson_page].
std::variant<Lesson, std::pair<std::size_t, std::string>> lesson_of(const LessonDraft& draft,
                                                                    const std::filesystem::path& file);

}  // namespace warpwalk::lessons

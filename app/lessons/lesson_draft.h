#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/lessons/lesson.h"
#include "core/base/result.h"

namespace warpwalk::lessons {

/// An option of a question as it is typed.
struct DraftOption {
  std::string text;
  std::string wrong;  ///< why it is wrong
  friend bool operator==(const DraftOption&, const DraftOption&) = default;
};

/// A question as it is typed, which may be incomplete.
struct DraftQuestion {
  std::string text;
  std::vector<DraftOption> options;  ///< empty ones do not count
  std::optional<std::size_t> right;  ///< index into `options`
  std::string why;
  bool shows = false;  ///< as LessonQuestion::shows
  std::string id;      ///< as LessonQuestion::id
  /// Whether nothing is typed.
  bool empty() const;
  friend bool operator==(const DraftQuestion&, const DraftQuestion&) = default;
};
/// `step`: from 0. The question of a file without ids gets the number of its step as its id, so that the answers to it
/// that were saved before still count when the step moves.
DraftQuestion draft_of(const std::optional<LessonQuestion>& question, std::size_t step);
/// The question, none if nothing is typed, or what is wrong with it: a key of [lesson_page] in the narration.
base::Result<std::optional<LessonQuestion>> question_of(const DraftQuestion& typed);

/// A step as it is typed.
struct DraftStep {
  document::View view;
  std::string title;  ///< in place of the scene's; may be empty
  std::string text;   ///< for the class
  std::string note;
  std::string minutes;  ///< a number; empty: not planned
  DraftQuestion question;
  bool is_slide = false;  ///< it shows these in place of the scene of `view`
  LessonSlide slide;
  std::string picture;   ///< its file; relative to the lesson's, or whole
  std::uint64_t id = 0;  ///< stays the same if the step moves; set by LessonDraft
  friend bool operator==(const DraftStep&, const DraftStep&) = default;
};

/// Parses minutes; 0 for an empty text, nullopt for anything but a number from 0 to 600.
std::optional<double> minutes_of(const std::string& typed);

/// What a draft consists of.
struct DraftContent {
  std::vector<DraftStep> steps;
  std::string title;
  std::string target;          ///< the file to save to, as it is typed
  std::filesystem::path file;  ///< see LessonDraft::file()
  friend bool operator==(const DraftContent&, const DraftContent&) = default;
};

/// A lesson that is being composed: its steps in order, the current one, and all changes, which can be undone and done
/// again, the last one first.
class LessonDraft {
 public:
  LessonDraft() = default;
  /// A draft that is not saved yet, at its last step.
  explicit LessonDraft(DraftContent content);

  const DraftContent& content() const { return now_.content; }
  const std::vector<DraftStep>& steps() const { return now_.content.steps; }
  std::size_t at() const { return now_.at; }  ///< the current step; 0 if there is none
  /// The current step; null if there is none.
  const DraftStep* step() const { return steps().empty() ? nullptr : &steps()[at()]; }
  const std::string& title() const { return now_.content.title; }
  /// The file that the lesson was read from or saved to; empty: none yet.
  const std::filesystem::path& file() const { return now_.content.file; }
  /// Grows with each change, also if one is undone.
  std::uint64_t revision() const { return revision_; }
  /// Whether something is not in the file.
  bool unsaved() const;

  void go(std::size_t step);
  /// Adds a step after the current one, which it becomes.
  void add(DraftStep step);
  /// Adds a copy of the current step behind it. Its question is another one to those who count answers.
  void duplicate();
  void remove();
  /// Moves a step to another place.
  void move(std::size_t from, std::size_t to);
  /// Something was typed: title, target and the current step as they are now; other steps stay. Changes of the same
  /// group, one after another, are undone together.
  void type(const std::string& title, const std::string& target, const DraftStep& step, const std::string& group);
  /// Another lesson takes the place of this one.
  void replace(const Lesson& lesson);

  void undo() { restore(undo_, redo_); }
  void redo() { restore(redo_, undo_); }
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  /// The lesson is in this file now.
  void saved_to(const std::filesystem::path& file);

 private:
  struct State {
    DraftContent content;
    std::size_t at = 0;
    std::uint64_t lesson = 0;  // grows when another lesson takes its place
    std::uint64_t stamp = 0;   // differs for each content
  };

  void remember(const std::string& group);
  void restore(std::vector<State>& from, std::vector<State>& to);
  void changed();
  void complete(DraftStep& step);

  State now_;
  std::vector<State> undo_, redo_;
  std::string group_;                                        // of the last change
  std::map<std::uint64_t, std::uint64_t> saved_ = {{0, 0}};  // the stamp that is in the file, by lesson
  std::uint64_t revision_ = 0, next_id_ = 1, next_stamp_ = 1, next_lesson_ = 1;
};

/// Why a draft cannot be a lesson yet.
struct DraftProblem {
  std::size_t step = 0;  ///< from 0
  std::string key;       ///< of [lesson_page]
  std::string detail;    ///< may be empty
};

/// The lesson as it would be saved to `file`.
std::variant<Lesson, DraftProblem> lesson_of(const LessonDraft& draft, const std::filesystem::path& file);
/// The whole path of a picture of a draft whose lesson is in this folder.
std::filesystem::path picture_path(const std::string& typed, const std::filesystem::path& folder);

}  // namespace warpwalk::lessons

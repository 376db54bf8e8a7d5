#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/text/text_field.h"
#include "app/draw/ui.h"

namespace warpwalk::pages {

/// A step in the list.
struct LessonPageStep {
  std::string title;  ///< of the stage; empty: not known
  std::string place;  ///< "launch, beat 4"
  std::string file;   ///< the name of the trace
  bool note = false;
  bool question = false;
};

/// The content of the page about a lesson that is being composed.
struct LessonPageContent {
  std::vector<LessonPageStep> steps;
  std::size_t at = 0;
  bool unsaved = false;
  bool can_undo = false;
  std::string open_lesson;  ///< the title of the lesson that is open in the window, if it could be edited; may be empty
};

/// The text fields of the page, in the order of Tab.
struct LessonPageFields {
  draw::TextField title, note, question, options, right, why, file;
  friend bool operator==(const LessonPageFields&, const LessonPageFields&) = default;
};

struct LessonPageState {
  draw::UiMemory memory;
  LessonPageFields fields;
  std::optional<std::size_t> dragged;  ///< the step that the pointer drags
  std::string said;                    ///< what was done last, or what is wrong, one line; may be empty
};

/// The person's request.
struct LessonPageChoice {
  enum class Kind : unsigned char { none, select, move, remove, undo, show, add, save, fresh, open };
  Kind kind = Kind::none;
  std::size_t step = 0;  ///< select: the step; move: the step that moves
  std::size_t to = 0;    ///< move: its new place
};

/// The page to compose a lesson, over the whole canvas: title, list of steps, the current step's note and question, and
/// the file. Tab visits everything. In the list: arrows choose, Ctrl+Up and Ctrl+Down move the step, Delete removes it,
/// Ctrl+Z undoes that, Enter shows it. Everywhere: Ctrl+D adds the moment in the window, Ctrl+S saves, Ctrl+N begins a
/// new lesson, Ctrl+E edits the lesson that is open in the window. Steps can also be dragged.
LessonPageChoice lesson_view(draw::Ui& ui, LessonPageState& state, const LessonPageContent& content);

}  // namespace warpwalk::pages

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/text/text_area.h"
#include "app/draw/text/text_field.h"
#include "app/draw/ui.h"
#include "core/story/pictures/slide.h"
#include "core/story/stage/question.h"
#include "core/story/stage/stage.h"

namespace warpwalk::pages {

/// A step in the list.
struct LessonPageStep {
  std::string title;  ///< its own or that of its stage; empty: not known
  std::string place;  ///< "launch, beat 4"
  std::string file;   ///< the name of the trace; empty for a slide
  bool note = false;
  bool question = false;
  bool slide = false;
  std::string minutes;                    ///< as typed
  const story::Stage* stage = nullptr;    ///< as the class sees it; null: not made yet
  const story::Photo* picture = nullptr;  ///< of that, small; null: not painted yet
};

/// The content of the page about a lesson that is being composed.
struct LessonPageContent {
  std::vector<LessonPageStep> steps;
  std::size_t at = 0;
  bool unsaved = false;
  bool can_undo = false, can_redo = false;
  std::string open_lesson;  ///< the title of the lesson that is open in the window, if it could be edited; may be empty
  std::string minutes_until, minutes_all;  ///< planned, with the current step; empty: nothing is planned
  std::string scene_question;              ///< that the scene of the current step asks; may be empty
  std::string picture_problem;             ///< of the current step; may be empty
};

/// The fields of a step are on three cards.
enum class LessonCard : unsigned char { words, question, picture };

/// The fields of the page, in the order of Tab.
struct LessonPageFields {
  draw::TextField title, target;
  draw::TextField step_title, minutes;
  draw::TextEditor text, note;
  draw::TextEditor question;
  std::array<draw::TextField, story::max_options> options, wrong;
  std::optional<std::size_t> right;
  draw::TextField why;
  bool shows = false;
  draw::TextField slide_title, picture;
  draw::TextEditor slide_text;
};

struct LessonPageState {
  draw::UiMemory memory;
  LessonPageFields fields;
  LessonCard card = LessonCard::words;
  std::optional<std::size_t> dragged;  ///< the step that the pointer drags
  std::string said;                    ///< what was done last, or what is wrong, one line; may be empty
};

/// The person's request.
struct LessonPageChoice {
  enum class Kind : unsigned char {
    none,
    select,
    move,
    remove,
    duplicate,
    undo,
    redo,
    show,
    add,
    add_slide,
    save,
    fresh,
    open
  };
  Kind kind = Kind::none;
  std::size_t step = 0;  ///< select: the step; move: the step that moves
  std::size_t to = 0;    ///< move: its new place
};

/// The page to compose a lesson, over the whole canvas: title, list of steps, the fields of the current step, and the
/// file. Tab visits everything. In the list: arrows choose, Ctrl+Up and Ctrl+Down move the step, Delete removes it,
/// Enter shows it. Everywhere: Ctrl+Z and Ctrl+Shift+Z or Ctrl+Y undo and redo, Ctrl+D adds the moment in the window,
/// Ctrl+M a slide, Ctrl+U a copy of the step, Ctrl+1 to Ctrl+3 turn to a card, Ctrl+S saves, Ctrl+N begins a new
/// lesson, Ctrl+E edits the lesson that is open in the window. Steps can also be dragged.
LessonPageChoice lesson_view(draw::Ui& ui, LessonPageState& state, const LessonPageContent& content);

}  // namespace warpwalk::pages

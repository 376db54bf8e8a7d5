#pragma once

// This folder has the widgets in which a person types. Text that is only shown is drawn by app/draw.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/draw/input.h"
#include "app/draw/text/text_lines.h"

namespace warpwalk::draw {

/// Several lines of text with a caret, a selection between caret and anchor, and undo.
class TextEditor {
 public:
  static constexpr std::size_t max_bytes = std::size_t{256} << 10;

  TextEditor() = default;
  explicit TextEditor(std::string_view text) { set_text(text); }

  const std::string& text() const { return lines_.text(); }
  const TextLines& lines() const { return lines_; }
  /// Grows with each change of the text.
  std::uint64_t revision() const { return revision_; }
  /// Replaces everything; it can be undone. Carriage returns and control characters are left out, and what is longer
  /// than max_bytes is cut.
  void set_text(std::string_view text);

  /// After this, what was done so far cannot be undone.
  void forget_undo();

  /// Handles the keys of an editor: characters, Space, Enter (keeps the indentation), Backspace, Delete; arrows, Home,
  /// End, Page Up and Page Down (`page` lines), with Shift to select, with Control by words or to the ends; Ctrl+A,
  /// Ctrl+V, Ctrl+Z, Ctrl+Y; Ctrl+C and Ctrl+X put the selection into `copied`. Returns true if the key was one of
  /// them.
  bool type(const draw::KeyPress& press, std::size_t page, std::string* copied);

  std::size_t caret() const { return caret_; }
  /// Begin and end of the selection; both are the caret if nothing is selected.
  std::pair<std::size_t, std::size_t> selected() const;
  /// Moves the caret to a place; `keep` extends the selection to it.
  void go(std::size_t place, bool keep);

  /// The first line and column in view. The view is the state of the window, not of the text.
  std::size_t top = 0, left = 0;
  /// Scrolls so that the caret is in view.
  void show_caret(std::size_t rows, std::size_t columns);

 private:
  struct State {
    std::string text;
    std::size_t caret = 0;
  };
  enum class Edit : unsigned char { none, typing, erasing, other };

  void put(std::string_view what, Edit kind);
  void erase(std::size_t from, std::size_t to, Edit kind);
  void remember(Edit kind);
  void restore(std::vector<State>& from, std::vector<State>& to);

  TextLines lines_;
  std::size_t caret_ = 0, anchor_ = 0;
  std::uint64_t revision_ = 0;
  std::vector<State> undo_, redo_;
  Edit last_ = Edit::none;
};

}  // namespace warpwalk::draw

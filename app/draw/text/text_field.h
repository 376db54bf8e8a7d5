#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "app/draw/ui.h"

namespace warpwalk::draw {

/// One line of text with a caret. The selection is between the caret and the anchor.
struct TextField {
  std::string text;  ///< UTF-8
  /// Positions in the text, bytes; positions beyond the end mean the end.
  std::size_t caret = std::string::npos, anchor = std::string::npos;
  std::size_t max_bytes = 4096;

  /// Handles the keys of a text field: characters, Space, Backspace, Delete; Left, Right (with Control by words), Home
  /// and End, with Shift to select; Ctrl+A, Ctrl+V (line breaks become spaces); if `copied` is not null, Ctrl+C and
  /// Ctrl+X, which put the selection there. Returns true if the key was one of these. Text beyond max_bytes is ignored.
  bool type(const draw::KeyPress& press, std::string* copied = nullptr);
  /// The begin and end of the selection; both are the caret if nothing is selected.
  std::pair<std::size_t, std::size_t> selected() const;
  friend bool operator==(const TextField& a, const TextField& b) { return a.text == b.text; }
};

/// Draws the text so that the caret is visible, with caret and selection while `typing`; otherwise `hint` if it is
/// empty.
void paint_field(draw::Canvas& canvas, const draw::Box& box, const TextField& field, bool typing,
                 std::string_view hint);
/// A press in the box puts the caret there; dragging selects.
void point_field(draw::Ui& ui, std::string_view id, const draw::Box& box, TextField& field);
/// The left edge of the text of a field in this box.
float text_left(const draw::Canvas& canvas, const draw::Box& box, const TextField& field);
/// The position in the text that is nearest to `x`.
std::size_t place_at(const draw::Canvas& canvas, const draw::Box& box, const TextField& field, float x);

}  // namespace warpwalk::draw

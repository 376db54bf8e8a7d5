#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "app/draw/ui.h"

namespace warpwalk::panels {

/// One line of text with a caret and, between it and the anchor, a selection.
struct TextField {
  std::string text;  ///< UTF-8
  /// Places in the text, in bytes; beyond its end is the end.
  std::size_t caret = std::string::npos, anchor = std::string::npos;

  /// Takes what a line of text takes: characters, Space, Backspace, Delete; Left, Right (with Control by words), Home,
  /// End, with Shift selecting; Ctrl+A, Ctrl+V (of which line breaks become spaces), and where `copied` is not null
  /// Ctrl+C and Ctrl+X, which put the selection there. Whether the key was one of these. No text grows beyond 4,096
  /// bytes.
  bool type(const draw::KeyPress& press, std::string* copied = nullptr);
  /// From where to where is selected; both are the caret's place where nothing is.
  std::pair<std::size_t, std::size_t> selected() const;
  friend bool operator==(const TextField& a, const TextField& b) { return a.text == b.text; }
};

/// Draws it: the text with its caret in sight, caret and selection while it is typed into, else `hint` where it is
/// empty.
void paint_field(draw::Canvas& canvas, const draw::Box& box, const TextField& field, bool typing,
                 std::string_view hint);
/// Puts the caret where the pointer presses in the box; drawn further it selects.
void point_field(draw::Ui& ui, std::string_view id, const draw::Box& box, TextField& field);
/// Where a field in this box begins to draw its text.
float text_left(const draw::Canvas& canvas, const draw::Box& box, const TextField& field);
/// The place in the text that a pointer at `x` is nearest to.
std::size_t place_at(const draw::Canvas& canvas, const draw::Box& box, const TextField& field, float x);

}  // namespace warpwalk::panels

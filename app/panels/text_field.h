#pragma once

#include <string>
#include <string_view>

#include "app/draw/ui.h"

namespace warpwalk::panels {

/// One line of text that is typed at its end.
struct TextField {
  std::string text;  ///< UTF-8

  /// Takes a character, Space or Backspace. Whether the key was one of these.
  bool type(const draw::KeyPress& press);
  friend bool operator==(const TextField&, const TextField&) = default;
};

/// Draws it: the text with its end in sight, a caret while it is typed into, else `hint` where it is empty.
void paint_field(draw::Canvas& canvas, const draw::Box& box, const TextField& field, bool typing,
                 std::string_view hint);

}  // namespace warpwalk::panels

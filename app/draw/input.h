#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/draw/canvas.h"

namespace warpwalk::draw {

/// Keys that the program uses, independent of the windowing toolkit.
enum class Key : unsigned char {
  none,
  left,
  right,
  up,
  down,
  home,
  end,
  page_up,
  page_down,
  space,
  enter,
  escape,
  tab,
  backspace,
  del,
  f11,
  character,  ///< a printable character, stored in KeyPress::character
};

struct KeyPress {
  Key key = Key::none;
  char32_t character = 0;
  bool control = false;
  bool shift = false;
  std::string pasted = {};  ///< for Ctrl+V: the clipboard text, UTF-8
};

/// User input since the last frame. Key presses are queued, so a key pressed and released within one frame is not lost.
/// Tests fill this struct by hand.
struct Input {
  Point mouse{-1, -1};  ///< units
  bool mouse_down = false;
  bool mouse_pressed = false;  ///< the left button was pressed in this frame
  bool mouse_released = false;
  float wheel = 0;  ///< notches; up is positive
  std::vector<KeyPress> keys;
  std::vector<std::filesystem::path> dropped;
  std::vector<std::string> links;  ///< views that another page asks for (document::view_of_link)
  double seconds = 0;  ///< since the last frame
};

}  // namespace warpwalk::draw

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/draw/canvas.h"

namespace warpwalk::draw {

/// Keys that the program knows, whatever toolkit they come from.
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
  character,  ///< the letter, digit or sign in KeyPress::character
};

struct KeyPress {
  Key key = Key::none;
  char32_t character = 0;
  bool control = false;
  bool shift = false;
  std::string pasted = {};  ///< of Ctrl+V: what is on the clipboard, UTF-8
};

/// What the person did since the last frame. Presses are a queue: one that is down and up again within a frame is not
/// lost. Tests fill this by hand.
struct Input {
  Point mouse{-1, -1};  ///< units
  bool mouse_down = false;
  bool mouse_pressed = false;  ///< the left button, in this frame
  bool mouse_released = false;
  float wheel = 0;  ///< notches; up is positive
  std::vector<KeyPress> keys;
  std::vector<std::filesystem::path> dropped;
  double seconds = 0;  ///< since the last frame
};

}  // namespace warpwalk::draw

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/shell/shell.h"

namespace warpwalk::window {

struct Options {
  int width = 0;  ///< of the window, screen coordinates, as it was kept; 0: the usual one
  int height = 0;
  double scale = 0;                   ///< pixels a unit; 0: by the screen and the size of the window
  std::function<void()> after_frame;  ///< may be empty
};

/// Opens a window, runs the shell in it until it is closed. While nothing moves and nobody does anything, nothing is
/// drawn. Answers what went wrong, in one line: no display, no OpenGL, no font.
std::optional<std::string> run(const Options& options, shell::Shell& shell);

/// Puts text on the clipboard of the window that is open.
void copy_to_clipboard(const std::string& text);

}  // namespace warpwalk::window

#pragma once

// This folder opens the window with GLFW, OpenGL and Dear ImGui. The contents of its frames come from app/shell.

#include <functional>
#include <memory>
#include <string>

#include "app/shell/shell.h"
#include "core/base/result.h"
#include "core/platform/probe.h"
#include "core/run/kernel_lab/run_draft.h"

namespace warpwalk::window {

struct Options {
  int width = 0;  ///< of the window, screen coordinates; 0: the default size
  int height = 0;
  double scale = 0;                   ///< pixels per unit; 0: chosen by the screen and the size of the window
  double presenting_scale = 0;        ///< the same while presenting; 0: chosen by the size of the window
  std::function<void()> after_frame;  ///< may be empty
};

/// Opens a window and runs the shell in it until it is closed. Redraws only during animations and on input. On
/// failure: one line (the display, OpenGL or the font is missing).
base::Result<void> run(const Options& options, shell::Shell& shell);

/// Opens a hidden window like the program's own and names the OpenGL renderer. In a process of its own: drivers may
/// crash.
platform::ProbeResult probe_display();

/// The address of the page with the present view, as in shell::Host; none for a window.
std::function<std::string()> page_address();

/// Opens a dialog in which a file can be chosen; none where the program shows the folders by itself.
std::function<void()> file_chooser();

/// Compiles CUDA C++ in a page, with a file beside it that is loaded then; none for a window, which runs a compiler.
run::CudaCompiler page_compiler();

/// Puts text on the clipboard of the open window.
void copy_to_clipboard(const std::string& text);

}  // namespace warpwalk::window

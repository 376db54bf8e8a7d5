#pragma once

#include "app/draw/input.h"

struct GLFWwindow;

namespace warpwalk::window {

/// The events of a window since its last frame, so that none is lost between frames.
class WindowEvents {
 public:
  WindowEvents() = default;
  WindowEvents(const WindowEvents&) = delete;
  WindowEvents& operator=(const WindowEvents&) = delete;

  /// Takes the events of this window from now on. This object must outlive it.
  void listen(GLFWwindow* window);
  draw::Input& input() { return input_; }
  /// True if anything happened: input, or a part to draw again.
  bool touched() const { return touched_; }
  /// A frame has responded to them.
  void clear();

 private:
  static WindowEvents& of(GLFWwindow* window);
  void on_key(GLFWwindow* window, int key, int code, int action, int mods);
  void on_character(unsigned code);
  void on_button(int button, int action);

  draw::Input input_;
  bool touched_ = true;  // a new window has to be drawn
};

}  // namespace warpwalk::window

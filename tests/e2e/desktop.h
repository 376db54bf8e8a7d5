#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/image.h"
#include "tests/app/program.h"
#include "tests/e2e/state.h"

namespace warpwalk::testing {

/// A display without a screen: a new Xvfb on a free number.
class Display {
 public:
  /// Which of Xvfb and xdotool is not installed; empty: both are.
  static std::string missing();

  Display(int width, int height);
  ~Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  const std::string& name() const { return name_; }  ///< ":99"; empty if it did not start
  /// The whole screen; nullopt if the display does not run.
  std::optional<draw::Image> screenshot() const;
  /// Runs xdotool with these arguments and returns its output.
  std::string xdotool(const std::vector<std::string>& words) const;

 private:
  Folder folder_;  // the frame buffer is a file in it
  std::string name_;
  int server_ = 0;
};

/// The place of a window, in pixels of the display.
struct Geometry {
  int x = 0, y = 0, width = 0, height = 0;
  friend bool operator==(const Geometry&, const Geometry&) = default;
};
std::ostream& operator<<(std::ostream& out, const Geometry& geometry);

/// The program in its window on a display, with a temporary home folder.
class Desktop {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Desktop(const std::vector<std::string>& arguments = {}, const std::vector<std::string>& environment = {},
                   int width = 1600, int height = 900);

  /// Waits until the reported state fulfils the condition; returns false after `limit`.
  bool wait_for(const std::function<bool(const State&)>& condition,
                std::chrono::seconds limit = std::chrono::seconds(10));
  /// Waits until the first scene is shown and nothing moves.
  bool ready();
  /// Waits until nothing moves.
  bool settled() {
    return wait_for([](const State& state) { return !state.moving; });
  }
  /// The last reported state.
  State state() const;

  /// Presses a key for 60 ms. Names are those of X: "Right", "slash", "ctrl+f".
  void key(const std::string& name);
  void type(const std::string& text);
  void move(int x, int y);
  void click(int x, int y);
  void wheel(int x, int y, int notches);  ///< up is positive
  /// The title of the window.
  std::string title() const { return title(window_); }
  std::string title(const std::string& window) const;
  Geometry geometry() const { return geometry(window_); }
  Geometry geometry(const std::string& window) const;
  /// The X ID of the program's second window, once it is there; empty if none appears.
  std::string other_window(std::chrono::seconds limit = std::chrono::seconds(10));
  /// Gives a window the keyboard, as there is no window manager to do it.
  void focus_on(const std::string& window);
  bool focus_on_main() { return focus(); }
  /// CPU time that the program has used.
  double cpu_seconds() const;
  /// Drops a file on the window; returns an error, or an empty text.
  std::string drop(const std::filesystem::path& file);

  /// The folder in which the program was started; pictures are saved there.
  const Folder& home() const { return home_; }
  Program& program() { return *program_; }
  const Display& display() const { return display_; }
  Clock::time_point started() const { return started_; }

 private:
  bool focus();

  Display display_;
  Folder home_;
  Clock::time_point started_;
  std::unique_ptr<Program> program_;
  std::string window_;  // X window ID
};

}  // namespace warpwalk::testing

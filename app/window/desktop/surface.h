#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/canvas.h"
#include "app/draw/fonts.h"
#include "app/draw/input.h"
#include "app/window/desktop/photos.h"
#include "app/window/desktop/screens.h"
#include "app/window/desktop/window_events.h"
#include "core/base/result.h"

struct GLFWwindow;
struct ImGuiContext;

namespace warpwalk::window {

/// One window of the screen with a Dear ImGui context and an OpenGL context of its own. Events are queued in input() as
/// they arrive, so that none is lost between frames. GLFW must be initialised.
class Surface {
 public:
  struct Options {
    std::string title;
    int width = 0;  ///< screen coordinates; 0: the usual size for the density of the screen
    int height = 0;
    int usual_width = 1600;
    int usual_height = 900;
    int least_width = 960;
    int least_height = 600;
    std::optional<Area> screen;   ///< opens in the middle of it
    bool minimised = false;       ///< opens minimised
    bool wait_for_screen = true;  ///< swaps buffers with the screen's refresh; one window of a program is enough
  };
  /// The type for the window's size in pixels, and the pixels of a unit that the screen's density asks for.
  using Type = std::function<draw::FontOptions(int width, int height, float density)>;

  Surface() = default;
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;
  ~Surface();

  /// On failure: one line (there is no OpenGL).
  base::Result<void> open(const Options& options);
  bool closed() const;
  void set_title(const std::string& title);

  /// Fills the screen on which most of the window is, or returns to the place and size before.
  void fill_screen(bool fill);
  /// Moves the window to this place; one that fills its screen fills the screen of that place.
  void move_to(const Area& place);
  /// Its place and size, or those that it returns to from the full screen.
  Area place() const;
  bool fills_screen() const { return filling_; }

  draw::Input& input() { return events_.input(); }
  /// True if the last frame drew characters that the fonts lack: the next frame has them, as far as there is a font.
  bool wants_glyphs() const { return glyphs_.grown(); }
  /// Whether characters are drawn as ? (draw::cjk_advice).
  bool lacks_cjk() const { return fonts_.lacks_cjk; }
  /// True if anything happened to the window since its last frame: input, or a part to draw again.
  bool touched() const { return events_.touched(); }
  bool minimised() const;
  /// Screen coordinates.
  std::pair<int, int> size() const;

  /// Draws a frame with `paint`, then empties the queue of events. On failure: one line (fonts are missing).
  base::Result<void> frame(const Type& type, const draw::Theme& theme,
                           const std::function<void(draw::Canvas&, const draw::Input&)>& paint);

 private:
  void fill_screen_of(const Area& now);
  base::Result<void> fit_fonts(const Type& type);

  GLFWwindow* window_ = nullptr;
  ImGuiContext* context_ = nullptr;
  bool backend_ = false;
  bool filling_ = false;
  Area before_;  // it filled the screen
  draw::Glyphs glyphs_;
  draw::FontSet fonts_;
  draw::FontOptions loaded_;
  Photos photos_;
  WindowEvents events_;
  std::string title_;
  double last_ = 0;
};

/// All screens, the primary one first.
std::vector<Area> all_screens();
/// The number of screens, which costs less than all_screens().
int screen_count();

/// GLFW's description of the last failure.
std::string glfw_reason();

}  // namespace warpwalk::window

#pragma once

#include <functional>
#include <memory>
#include <string>

#include <imgui.h>

#include "app/draw/fonts.h"
#include "app/draw/image.h"

namespace warpwalk::draw {

/// Draws pictures without a window, a display or a GPU: an ImGui context of its own, without ini file or backend. The
/// context that was current before a call is current after it. Not to be used by two threads at once.
class Offscreen {
 public:
  struct Options {
    FontOptions fonts = {1, default_font_directories(), {}};
    int threads = 0;  ///< for the rasteriser; 0: as many as the machine has
  };
  using Paint = std::function<void(ImDrawList&)>;

  /// Nothing, and the reason in `error`, where no font was found.
  static std::unique_ptr<Offscreen> open(const Options& options, std::string& error);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  /// One frame: `paint` gets the draw list of a bare window that covers the whole picture, from (0, 0) in pixels, while
  /// the context is current. Exceptions of `paint` pass through. Sides are clamped to 1 .. 16,384.
  Image draw(int width, int height, ImU32 background, const Paint& paint);

  /// The same frame without pixels: for what `paint` does besides, such as writing an SvgPage.
  void play(int width, int height, const Paint& paint);

  const FontSet& fonts() const { return fonts_; }

 private:
  explicit Offscreen(int threads);
  void frame(int width, int height, const Paint& paint);

  ImGuiContext* context_;
  FontSet fonts_;
  int threads_;
};

}  // namespace warpwalk::draw

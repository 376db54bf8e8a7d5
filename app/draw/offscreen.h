#pragma once

#include <functional>
#include <memory>

#include <imgui.h>

#include "app/draw/fonts.h"
#include "app/draw/image.h"
#include "core/base/result.h"

namespace warpwalk::draw {

/// Draws pictures without a window, a display or a GPU. Owns an ImGui context without ini file or backend, and restores
/// the previous context after each call. Not thread-safe.
class Offscreen {
 public:
  struct Options {
    FontOptions fonts = {1, default_font_directories(), {}};
    int threads = 0;  ///< threads of the rasteriser; 0: one per hardware thread
    /// Draws again, with new fonts, what has characters that the fonts lack. `paint` is then called twice.
    bool grows = false;
  };
  using Paint = std::function<void(ImDrawList&)>;

  /// On failure: one line (no font was found).
  static base::Result<std::unique_ptr<Offscreen>> open(const Options& options);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  /// Draws one frame. While the context is current, calls `paint` with the draw list of an undecorated window that
  /// covers the whole picture, from (0, 0) in pixels. Passes exceptions of `paint` on. Clamps sides to 1 .. 16,384.
  Image draw(int width, int height, ImU32 background, const Paint& paint);

  /// Runs the same frame without rasterising it, for the side effects of `paint`, such as writing an SvgPage.
  void play(int width, int height, const Paint& paint);

  const FontSet& fonts() const { return fonts_; }

 private:
  explicit Offscreen(const Options& options);
  void frame(int width, int height, const Paint& paint);
  void paint_once(int width, int height, const Paint& paint);

  ImGuiContext* context_;
  Options options_;
  Glyphs glyphs_;
  FontSet fonts_;
  int threads_;
};

}  // namespace warpwalk::draw

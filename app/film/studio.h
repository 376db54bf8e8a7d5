#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/draw/canvas.h"
#include "app/draw/image.h"
#include "app/draw/offscreen.h"
#include "app/draw/theme.h"
#include "app/shell/lecturer_page.h"
#include "core/base/result.h"
#include "core/story/stage/stage.h"

namespace warpwalk::film {

/// Draws whole frames of stages without a window, as `render` writes them.
class Studio {
 public:
  struct Options {
    draw::Theme theme = draw::dark_theme();
    int width = 1920;  ///< pixels
    int height = 1080;
    bool presented = false;     ///< the stage alone in large type, as it is projected
    bool picture_only = false;  ///< the stage's picture without any words around it, as a handout has it
    double scale = 0;           ///< pixels per unit; 0: chosen by the size
    std::string source;         ///< the name of the trace's file
    /// All words that will be drawn, if they are known: then the fonts load much faster.
    std::optional<std::string> words;
  };
  /// On failure: one line (no font was found).
  static base::Result<std::unique_ptr<Studio>> open(Options options);

  draw::Image image(const story::Stage& stage) const;
  /// The same picture as SVG, with the stage's transcript for people who cannot see it.
  std::string svg(const story::Stage& stage) const;

  /// The lecturer's page.
  draw::Image image(const shell::LecturerPage& page, const story::Narration& words) const;
  std::string svg(const shell::LecturerPage& page, const story::Narration& words) const;

  const Options& options() const { return options_; }
  /// Whether characters were drawn as ? (draw::cjk_advice).
  bool lacks_cjk() const;

 private:
  Studio(Options options, std::unique_ptr<draw::Offscreen> offscreen)
      : options_(std::move(options)), offscreen_(std::move(offscreen)) {}
  draw::Canvas canvas(ImDrawList& list, const draw::Offscreen& type) const;
  /// The type of the stage's layout: a step of the tour has its own.
  draw::Offscreen& type_of(const story::Stage& stage) const;
  void paint(draw::Canvas& canvas, const story::Stage& stage) const;

  Options options_;
  std::unique_ptr<draw::Offscreen> offscreen_;
  mutable std::unique_ptr<draw::Offscreen> tour_;  // made with its first step
};

/// One stage as SVG. On failure: one line.
base::Result<std::string> stage_svg(const story::Stage& stage, const draw::Theme& theme, std::string_view source,
                                    int width = 1920, int height = 1080);

}  // namespace warpwalk::film

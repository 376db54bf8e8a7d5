#include "app/film/studio.h"

#include "app/draw/svg.h"
#include "app/panels/stage_view.h"
#include "app/shell/frame.h"
#include "core/story/stage/scene.h"
#include "core/story/transcript.h"

namespace warpwalk::film {

base::Result<std::unique_ptr<Studio>> Studio::open(Options options) {
  draw::Offscreen::Options offscreen;
  if (options.presented)
    offscreen.fonts = shell::presenting_type(options.width, options.height);
  else
    offscreen.fonts.scale =
        options.scale != 0 ? static_cast<float>(options.scale) : shell::scale_for(options.width, options.height);
  if (options.words) {
    // Signs that the frame draws besides the stage's words.
    offscreen.fonts.only_text = std::string("×−…›µ→·").append(options.source).append(*options.words);
  }
  auto opened = draw::Offscreen::open(offscreen);
  if (!opened) return base::Error{opened.error()};
  return std::unique_ptr<Studio>(new Studio(std::move(options), *std::move(opened)));
}

draw::Canvas Studio::canvas(ImDrawList& list) const {
  const float scale = offscreen_->fonts().scale;
  return {list, offscreen_->fonts(), options_.theme, static_cast<float>(options_.width) / scale,
          static_cast<float>(options_.height) / scale};
}

void Studio::paint(draw::Canvas& on, const story::Stage& stage) const {
  if (options_.picture_only)
    panels::stage_view(on, nullptr, {8, 8, on.width() - 16, on.height() - 16}, stage, panels::StageHead::none);
  else if (options_.presented)
    shell::paint_presented(on, nullptr, stage);
  else
    shell::paint_frame(on, stage, options_.source);
}

draw::Image Studio::image(const story::Stage& stage) const {
  return offscreen_->draw(options_.width, options_.height, options_.theme.ground, [&](ImDrawList& list) {
    draw::Canvas on = canvas(list);
    paint(on, stage);
  });
}

std::string Studio::svg(const story::Stage& stage) const {
  draw::SvgPage page(options_.width, options_.height, options_.theme.ground, stage.title, story::transcript(stage));
  offscreen_->play(options_.width, options_.height, [&](ImDrawList& list) {
    draw::Canvas on = canvas(list);
    on.record(&page);
    paint(on, stage);
  });
  return page.finish();
}

draw::Image Studio::image(const shell::LecturerPage& page, const story::Narration& words) const {
  return offscreen_->draw(options_.width, options_.height, options_.theme.ground, [&](ImDrawList& list) {
    draw::Canvas on = canvas(list);
    shell::paint_lecturer(on, page, words);
  });
}

std::string Studio::svg(const shell::LecturerPage& page, const story::Narration& words) const {
  draw::SvgPage svg(options_.width, options_.height, options_.theme.ground, page.title, page.note);
  offscreen_->play(options_.width, options_.height, [&](ImDrawList& list) {
    draw::Canvas on = canvas(list);
    on.record(&svg);
    shell::paint_lecturer(on, page, words);
  });
  return svg.finish();
}

base::Result<std::string> stage_svg(const story::Stage& stage, const draw::Theme& theme, std::string_view source,
                                    int width, int height) {
  Studio::Options options;
  options.theme = theme;
  options.width = width;
  options.height = height;
  options.source = source;
  options.words = story::everything_on(stage);
  const auto studio = Studio::open(std::move(options));
  if (!studio) return base::Error{studio.error()};
  return (*studio)->svg(stage);
}

}  // namespace warpwalk::film

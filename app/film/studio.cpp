#include "app/film/studio.h"

#include <optional>
#include <string>

#include "app/draw/svg.h"
#include "app/panels/stage_view.h"
#include "app/shell/frame.h"
#include "core/story/stage/scene.h"
#include "core/story/transcript.h"

namespace warpwalk::film {

namespace {

// All characters that may be drawn, if the words are known.
std::optional<std::string> letters_of(const Studio::Options& options) {
  if (!options.words) return {};
  // Signs that the frame draws besides the stage's words.
  return std::string("×−…›µ→·").append(options.source).append(*options.words);
}

}  // namespace

base::Result<std::unique_ptr<Studio>> Studio::open(Options options) {
  draw::Offscreen::Options offscreen;
  offscreen.grows = true;
  if (options.presented)
    offscreen.fonts = shell::presenting_type(options.width, options.height, options.scale);
  else
    offscreen.fonts.scale =
        options.scale != 0 ? static_cast<float>(options.scale) : shell::scale_for(options.width, options.height);
  offscreen.fonts.only_text = letters_of(options);
  auto opened = draw::Offscreen::open(offscreen);
  if (!opened) return base::Error{opened.error()};
  return std::unique_ptr<Studio>(new Studio(std::move(options), *std::move(opened)));
}

draw::Offscreen& Studio::type_of(const story::Stage& stage) const {
  if (!stage.step || options_.presented || options_.picture_only || options_.scale != 0) return *offscreen_;
  if (tour_ == nullptr) {
    draw::Offscreen::Options offscreen;
    offscreen.grows = true;
    offscreen.fonts = shell::learner_type(options_.width, options_.height);
    offscreen.fonts.only_text = letters_of(options_);
    auto opened = draw::Offscreen::open(offscreen);
    if (!opened) return *offscreen_;  // the same fonts were found before
    tour_ = *std::move(opened);
  }
  return *tour_;
}

draw::Canvas Studio::canvas(ImDrawList& list, const draw::Offscreen& type) const {
  const float scale = type.fonts().scale;
  return {list, type.fonts(), options_.theme, static_cast<float>(options_.width) / scale,
          static_cast<float>(options_.height) / scale};
}

void Studio::paint(draw::Canvas& on, const story::Stage& stage) const {
  const base::WithNumberMarks numbers(stage.marks);
  if (options_.picture_only)
    panels::stage_view(on, nullptr, {8, 8, on.width() - 16, on.height() - 16}, stage, panels::StageHead::none);
  else if (options_.presented)
    shell::paint_presented(on, nullptr, stage);
  else
    shell::paint_frame(on, stage, options_.source);
}

draw::Image Studio::image(const story::Stage& stage) const {
  draw::Offscreen& type = type_of(stage);
  return type.draw(options_.width, options_.height, options_.theme.ground, [&](ImDrawList& list) {
    draw::Canvas on = canvas(list, type);
    paint(on, stage);
  });
}

std::string Studio::svg(const story::Stage& stage) const {
  std::optional<draw::SvgPage> page;
  draw::Offscreen& type = type_of(stage);
  type.play(options_.width, options_.height, [&](ImDrawList& list) {
    page.emplace(options_.width, options_.height, options_.theme.ground, stage.title, story::transcript(stage));
    draw::Canvas on = canvas(list, type);
    on.record(&*page);
    paint(on, stage);
  });
  return page->finish();
}

draw::Image Studio::image(const shell::LecturerPage& page, const story::Narration& words) const {
  return offscreen_->draw(options_.width, options_.height, options_.theme.ground, [&](ImDrawList& list) {
    draw::Canvas on = canvas(list, *offscreen_);
    shell::paint_lecturer(on, page, words);
  });
}

std::string Studio::svg(const shell::LecturerPage& page, const story::Narration& words) const {
  std::optional<draw::SvgPage> svg;
  offscreen_->play(options_.width, options_.height, [&](ImDrawList& list) {
    svg.emplace(options_.width, options_.height, options_.theme.ground, page.title, page.note);
    draw::Canvas on = canvas(list, *offscreen_);
    on.record(&*svg);
    shell::paint_lecturer(on, page, words);
  });
  return svg->finish();
}

bool Studio::lacks_cjk() const {
  return offscreen_->fonts().lacks_cjk || (tour_ != nullptr && tour_->fonts().lacks_cjk);
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

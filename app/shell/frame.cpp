#include "app/shell/frame.h"

#include <algorithm>
#include <cmath>

#include "app/panels/facts.h"
#include "app/panels/route.h"
#include "app/panels/stage_view.h"

namespace warpwalk::shell {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float top_height = 56;
constexpr float bottom_height = 52;
constexpr float margin = 32;

void paint_place(Canvas& canvas, const Box& box, const story::Stage& stage, std::string_view source) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel);
  canvas.line({box.x, box.y}, {box.right(), box.y}, theme.line, theme.hairline);
  const float middle = box.y + box.height / 2;
  float x = box.x + margin + 5;
  for (int b = 1; b <= stage.beats; ++b) {
    if (b == stage.beat)
      canvas.dot({x, middle}, 6, theme.now);
    else
      canvas.dot({x, middle}, 4, b < stage.beat ? theme.second : draw::mixed(theme.second, theme.panel, 0.35f));
    x += 20;
  }
  canvas.text_in({x + 8, box.y, 300, box.height}, Style::label, theme.second, stage.place);
  canvas.text_in({box.right() - margin - 520, box.y, 520, box.height}, Style::label, theme.second, source,
                 Align::right);
}

}  // namespace

float scale_for(int width, int height) {
  const float fit = std::min(static_cast<float>(width) / 1360, static_cast<float>(height) / 765);
  return std::clamp(std::round(fit * 16) / 16, 0.5f, 6.0f);
}

draw::FontOptions presenting_type(int width, int height) {
  // Relative to 1280x720, which projectors still have: from there to 1080p, letters grow less than the picture.
  const float by = std::min(static_cast<float>(width) / 1280, static_cast<float>(height) / 720);
  const float smallest = by < 1 ? 20 * by : by < 1.5f ? 20 + 8 * (by - 1) : 16 * by;
  const float sentence = 1.4f * smallest;
  draw::FontOptions options;
  options.scale = std::clamp(std::round(smallest * 0.075f * 16) / 16, 0.5f, 6.0f);
  options.directories = draw::default_font_directories();
  options.large = draw::LargeType{smallest, sentence, 1.3f * sentence};
  return options;
}

pictures::Touch paint_presented(Canvas& canvas, draw::Ui* ui, const story::Stage& stage) {
  constexpr float side = 28, above = 10, below = 12;
  return panels::stage_view(canvas, ui, {side, above, canvas.width() - 2 * side, canvas.height() - above - below},
                            stage, panels::StageHead::presented);
}

void paint_frame(Canvas& canvas, const story::Stage& stage, std::string_view source) {
  const float width = canvas.width(), height = canvas.height();
  const float facts_width = std::clamp(width * 0.215f, 280.0f, 340.0f);
  const float middle = height - top_height - bottom_height;
  panels::route(canvas, nullptr, {0, 0, width, top_height}, stage.route);
  panels::facts(canvas, nullptr, {width - facts_width, top_height, facts_width, middle}, stage, nullptr, nullptr);
  paint_place(canvas, {0, height - bottom_height, width, bottom_height}, stage, source);
  canvas.clip({0, top_height, width - facts_width, middle});
  panels::stage_view(canvas, nullptr, {margin, top_height + 24, width - facts_width - 2 * margin, middle - 24 - 16},
                     stage);
  canvas.unclip();
}

}  // namespace warpwalk::shell

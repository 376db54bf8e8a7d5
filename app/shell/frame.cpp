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

#include "app/shell/frame.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

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

// The learner's layout, at 1280x720.
constexpr float learner_margin = 24, learner_head_top = 4, learner_head = 24, learner_bar = 48;

// `place`: in words, beside the dots.
void paint_place(Canvas& canvas, const Box& box, const story::Stage& stage, std::string_view place,
                 std::string_view source) {
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
  canvas.text_in({x + 8, box.y, 300, box.height}, Style::label, theme.second, place);
  canvas.text_in({box.right() - margin - 520, box.y, 520, box.height}, Style::label, theme.second, source,
                 Align::right);
}

void paint_learner_picture(Canvas& canvas, const story::Stage& stage, std::string_view source) {
  const LearnerLayout at = learner_layout(canvas.width(), canvas.height());
  paint_learner_head(canvas, at.head, stage, stage.place);
  panels::stage_view(canvas, nullptr, at.stage, stage, panels::StageHead::learner);
  paint_place(canvas, at.bar, stage, "", source);
}

}  // namespace

float scale_for(int width, int height) {
  const float fit = std::min(static_cast<float>(width) / 1360, static_cast<float>(height) / 765);
  return std::clamp(std::round(fit * 16) / 16, 0.5f, 6.0f);
}

draw::FontOptions presenting_type(int width, int height, double scale) {
  constexpr float pixels_a_unit = 1.5f;  // at 1280x720
  const float by = scale > 0 ? static_cast<float>(scale) / pixels_a_unit
                             : std::min(static_cast<float>(width) / 1280, static_cast<float>(height) / 720);
  const float smallest = 20 * by, sentence = 1.4f * smallest;
  draw::FontOptions options;
  options.scale = std::clamp(std::round(pixels_a_unit * by * 16) / 16, 0.5f, 8.0f);
  options.directories = draw::default_font_directories();
  options.large = draw::LargeType{smallest, sentence, 1.3f * sentence};
  return options;
}

draw::FontOptions learner_type(int width, int height) {
  const float fit = std::min(static_cast<float>(width) / 1280, static_cast<float>(height) / 720);
  const float by = std::clamp(std::floor(fit * 16 + 0.01f) / 16, 0.5f, 6.0f);
  draw::FontOptions options;
  options.scale = by;
  options.directories = draw::default_font_directories();
  options.large = draw::LargeType{13 * by, 20 * by, 28 * by};
  return options;
}

LearnerLayout learner_layout(float width, float height, float strip_height) {
  const float inner = width - 2 * learner_margin, top = learner_head_top + learner_head + 2;
  const float bar = height - learner_bar, strip = bar - strip_height;
  return {{learner_margin, learner_head_top, inner, learner_head},
          {learner_margin, top, inner, strip - top - 8},
          {0, strip, width, strip_height},
          {0, bar, width, learner_bar}};
}

void paint_learner_head(Canvas& canvas, const Box& box, const story::Stage& stage, std::string_view place,
                        std::string_view hint) {
  const draw::Theme& theme = canvas.theme();
  const std::string chapter = stage.step                ? stage.step->chapter
                              : stage.scene_number == 0 ? stage.scene_label
                                                        : fmt::format("{} · {}", stage.scene_number, stage.scene_label);
  const float right = canvas.text_width(Style::label, place);
  const float left =
      canvas.text_in({box.x, box.y, box.width - right - 24, box.height}, Style::label, theme.second, chapter);
  canvas.text_in(box, Style::label, theme.second, place, Align::right);
  if (hint.empty()) return;
  constexpr float between = 32;
  canvas.text_in({box.x + left + between, box.y, box.width - left - right - 2 * between, box.height}, Style::label,
                 theme.second, hint, Align::centre);
}

pictures::Touch paint_presented(Canvas& canvas, draw::Ui* ui, const story::Stage& stage) {
  constexpr float side = 28, above = 10, below = 12;
  return panels::stage_view(canvas, ui, {side, above, canvas.width() - 2 * side, canvas.height() - above - below},
                            stage, panels::StageHead::presented);
}

void paint_frame(Canvas& canvas, const story::Stage& stage, std::string_view source) {
  if (stage.step) return paint_learner_picture(canvas, stage, source);
  const float width = canvas.width(), height = canvas.height();
  const float facts_width = std::clamp(width * 0.215f, 280.0f, 340.0f);
  const float middle = height - top_height - bottom_height;
  panels::route(canvas, nullptr, {0, 0, width, top_height}, stage.route);
  panels::facts(canvas, nullptr, {width - facts_width, top_height, facts_width, middle}, stage, nullptr, nullptr);
  paint_place(canvas, {0, height - bottom_height, width, bottom_height}, stage, stage.place, source);
  canvas.clip({0, top_height, width - facts_width, middle});
  panels::stage_view(canvas, nullptr, {margin, top_height + 24, width - facts_width - 2 * margin, middle - 24 - 16},
                     stage);
  canvas.unclip();
}

}  // namespace warpwalk::shell

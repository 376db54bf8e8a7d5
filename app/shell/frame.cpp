#include "app/shell/frame.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "app/scenes/paint.h"

namespace warpwalk::shell {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float top_height = 56;
constexpr float bottom_height = 52;
constexpr float margin = 32;

void paint_route(Canvas& canvas, const Box& box, const std::vector<story::Stop>& route) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel);
  canvas.line({box.x, box.bottom() - 1}, {box.right(), box.bottom() - 1}, theme.line, theme.hairline);
  constexpr float pad = 12, arrow = 22, height = 30;
  // Stops that the trace says nothing of are only names; on a narrow screen the last of them go first, then long values
  // are cut.
  const auto width_of = [&](const story::Stop& stop, float most) {
    return stop.value.empty() ? canvas.text_width(Style::label, stop.name)
                              : std::min(canvas.text_width(Style::mono_small, stop.value), most) + 2 * pad;
  };
  std::vector<const story::Stop*> shown;
  for (const story::Stop& stop : route) shown.push_back(&stop);
  float most = 400;
  const auto total = [&] {
    float sum = 0;
    for (const story::Stop* stop : shown) sum += width_of(*stop, most) + arrow;
    return sum - arrow;
  };
  const float room = box.width - 2 * margin;
  while (total() > room && most > 120) most -= 10;
  for (std::size_t i = shown.size(); i-- > 0 && total() > room;)
    if (shown[i]->value.empty()) shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(i));
  while (total() > room && most > 40) most -= 10;

  float x = box.x + margin;
  const float y = box.y + (box.height - height) / 2;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const story::Stop& stop = *shown[i];
    const float width = width_of(stop, most);
    if (stop.value.empty()) {
      canvas.text_in({x, y, width + 1, height}, Style::label, theme.faint, stop.name);
    } else {
      const Box pill = {x, y, width, height};
      canvas.fill(pill, stop.here ? draw::mixed(theme.now, theme.panel, 0.14f) : theme.ground, height / 2);
      canvas.outline(pill, stop.here ? theme.now : theme.line, height / 2, stop.here ? 1.5f : theme.hairline);
      canvas.text_in({x + pad, y, width - 2 * pad + 1, height}, Style::mono_small,
                     stop.here ? theme.text : theme.second, stop.value);
    }
    x += width;
    if (i + 1 < shown.size()) canvas.text_in({x, y, arrow, height}, Style::label, theme.faint, "›", Align::centre);
    x += arrow;
  }
}

void paint_facts(Canvas& canvas, const Box& box, const story::Stage& stage) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel);
  canvas.line({box.x, box.y}, {box.x, box.bottom()}, theme.line, theme.hairline);
  const float pad = 24;
  const float left = box.x + pad;
  const float width = box.width - 2 * pad;
  float y = box.y + 24;
  canvas.text({left, y}, Style::small_caps, theme.second, stage.head_facts);
  y += 34;
  for (const story::Fact& fact : stage.facts) {
    if (y + 66 > box.bottom() - 8) break;
    canvas.text({left, y}, Style::label, theme.second, fact.label, width);
    const std::string value = fact.figure.text();
    const std::string_view word = trace::name_of(fact.figure.origin());
    const float tag = canvas.tag(box.right() - pad, y + 33, draw::colour_of(fact.figure.origin(), theme), word);
    const float room = width - tag - 12;
    // Long names in smaller type rather than cut.
    const Style style = canvas.text_width(Style::figure, value) <= room ? Style::figure
                        : canvas.text_width(Style::mono, value) <= room ? Style::mono
                                                                        : Style::mono_small;
    const std::vector<std::string> lines = canvas.wrapped(style, value, room, 2);
    for (std::size_t i = 0; i < lines.size(); ++i)
      canvas.text_in({left, y + 19 + 19 * static_cast<float>(i), room, 28}, style, theme.text, lines[i]);
    y += lines.size() > 1 ? 78 : 62;
  }
  if (stage.missing.empty()) return;
  y += 8;
  if (y + 60 > box.bottom()) return;
  canvas.text({left, y}, Style::small_caps, theme.second, stage.head_missing);
  y += 28;
  for (const std::string& missing : stage.missing) {
    if (y + 24 > box.bottom() - 8) break;
    y += canvas.paragraph({left, y}, Style::label, theme.second, missing, width, 6) + 10;
  }
}

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
  const float fit = std::min(static_cast<float>(width) / 1440, static_cast<float>(height) / 810);
  return std::clamp(std::round(fit * 12) / 12, 0.75f, 6.0f);
}

void paint_frame(Canvas& canvas, const story::Stage& stage, std::string_view source) {
  const draw::Theme& theme = canvas.theme();
  const float width = canvas.width(), height = canvas.height();
  const float facts_width = std::clamp(width * 0.22f, 264.0f, 340.0f);
  paint_route(canvas, {0, 0, width, top_height}, stage.route);
  paint_facts(canvas, {width - facts_width, top_height, facts_width, height - top_height - bottom_height}, stage);
  paint_place(canvas, {0, height - bottom_height, width, bottom_height}, stage, source);

  const Box stage_box = {margin, top_height + 24, width - facts_width - 2 * margin,
                         height - top_height - bottom_height - 24 - 16};
  float y = stage_box.y;
  canvas.text({stage_box.x, y}, Style::small_caps, theme.second,
              fmt::format("{} · {}", stage.scene_number, stage.scene_label), stage_box.width);
  y += 22;
  canvas.text({stage_box.x, y}, Style::title, theme.text, stage.title, stage_box.width);
  y += 46;
  canvas.paragraph({stage_box.x, y}, Style::sentence, theme.second, stage.sentence, stage_box.width, 2);
  // The picture starts at the same place in every beat, however long the sentence.
  const float picture_top = y + 2 * 1.2f * canvas.line_height(Style::sentence) + 18;
  scenes::paint_picture(canvas, {stage_box.x, picture_top, stage_box.width, stage_box.bottom() - picture_top}, stage);
}

}  // namespace warpwalk::shell

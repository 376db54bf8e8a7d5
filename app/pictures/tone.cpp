#include "app/pictures/tone.h"

#include <algorithm>

namespace warpwalk::pictures {
namespace {

constexpr float hatched = 8;  // in smaller boxes the lines would run together

float best_contrast(ImU32 fill, const draw::Theme& theme) {
  return std::max(draw::contrast(theme.text, fill), draw::contrast(theme.on_colour, fill));
}

// The colour mixed with the ground, at most to this share, until text on it can be read.
template <class Contrast>
ImU32 readable(ImU32 colour, const draw::Theme& theme, float share, const Contrast& contrast) {
  constexpr float step = 0.02f, least = 0.3f;
  ImU32 fill = draw::mixed(colour, theme.ground, share);
  while (contrast(fill, theme) < least_text_contrast && share > least) {
    share -= step;
    fill = draw::mixed(colour, theme.ground, share);
  }
  return fill;
}

constexpr float legend_line = 22;

// The places of the legend's swatches, below one another where a line is full.
std::vector<draw::Point> legend_places(const draw::Canvas& canvas, float width, const Legend& legend) {
  std::vector<draw::Point> places;
  float x = 0, y = 0;
  for (const auto& entry : legend) {
    const float wide = 18 + canvas.text_width(draw::Style::label, entry.second);
    if (x > 0 && x + wide > width) {
      x = 0;
      y += legend_line;
    }
    places.push_back({x, y});
    x += wide + 20;
  }
  return places;
}

}  // namespace

ImU32 colour_of(story::Tone tone, const draw::Theme& theme) {
  using story::Tone;
  switch (tone) {
    case Tone::plain: return theme.text;
    case Tone::quiet: return theme.second;
    case Tone::work: return theme.done;
    case Tone::memory: return theme.memory;
    case Tone::shared: return theme.shared;
    case Tone::barrier: return theme.barrier;
    case Tone::host: return theme.host;
    case Tone::refused: return theme.launch;
    case Tone::followed: return theme.now;
  }
  return theme.text;
}

ImU32 fill_of(story::Tone tone, const draw::Theme& theme) {
  using story::Tone;
  const ImU32 colour = colour_of(tone, theme);
  switch (tone) {
    case Tone::plain: return draw::mixed(theme.second, theme.ground, 0.28f);
    case Tone::quiet: return draw::mixed(theme.second, theme.ground, 0.12f);
    case Tone::refused: return draw::mixed(colour, theme.ground, 0.16f);
    case Tone::followed: return readable(colour, theme, 1, best_contrast);
    default: return readable(colour, theme, 0.62f, best_contrast);
  }
}

ImU32 mark_of(story::Tone tone, const draw::Theme& theme, float share) {
  constexpr float step = 0.02f, least_mark_contrast = 3;
  const ImU32 colour = colour_of(tone, theme);
  ImU32 mark = draw::mixed(colour, theme.ground, share);
  while (draw::contrast(mark, theme.ground) < least_mark_contrast && share < 1)
    mark = draw::mixed(colour, theme.ground, share += step);
  return mark;
}

ImU32 hatch_of_refused(const draw::Theme& theme) {
  return readable(colour_of(story::Tone::refused, theme), theme, 0.7f, [](ImU32 fill, const draw::Theme& of) {
    return draw::contrast(fill, text_on(story::Tone::refused, of));
  });
}

ImU32 text_on(story::Tone tone, const draw::Theme& theme) {
  const ImU32 fill = fill_of(tone, theme);
  return draw::contrast(theme.text, fill) >= draw::contrast(theme.on_colour, fill) ? theme.text : theme.on_colour;
}

void paint_tone(draw::Canvas& canvas, const draw::Box& box, story::Tone tone, float rounding) {
  using story::Tone;
  const draw::Theme& theme = canvas.theme();
  if (tone == Tone::refused && box.width < hatched && box.height < hatched) {
    canvas.fill(box, draw::mixed(colour_of(tone, theme), theme.ground, 0.9f), rounding);
    return;
  }
  canvas.fill(box, fill_of(tone, theme), rounding);
  if (tone == Tone::refused) canvas.hatch(box, hatch_of_refused(theme));
}

float legend_height(const draw::Canvas& canvas, float width, const Legend& legend) {
  const std::vector<draw::Point> places = legend_places(canvas, width, legend);
  return places.empty() ? 0 : places.back().y + legend_line;
}

void paint_legend(draw::Canvas& canvas, const draw::Box& box, const Legend& legend) {
  const std::vector<draw::Point> places = legend_places(canvas, box.width, legend);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const float x = box.x + places[i].x, y = box.y + places[i].y;
    paint_tone(canvas, {x, y + 4, 12, 12}, legend[i].first, 2);
    canvas.text_in({x + 18, y, box.right() - x - 18, 20}, draw::Style::label, canvas.theme().second, legend[i].second);
  }
}

}  // namespace warpwalk::pictures

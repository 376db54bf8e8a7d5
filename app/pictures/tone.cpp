#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

constexpr float hatched = 8;  // in smaller boxes the lines would run together

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

void paint_tone(draw::Canvas& canvas, const draw::Box& box, story::Tone tone, float rounding) {
  using story::Tone;
  const draw::Theme& theme = canvas.theme();
  const ImU32 colour = colour_of(tone, theme);
  if (tone == Tone::plain || tone == Tone::quiet) {
    canvas.fill(box, draw::mixed(theme.second, theme.ground, tone == Tone::plain ? 0.28f : 0.12f), rounding);
  } else if (tone == Tone::refused && box.width < hatched && box.height < hatched) {
    canvas.fill(box, draw::mixed(colour, theme.ground, 0.9f), rounding);
  } else if (tone == Tone::refused) {
    canvas.fill(box, draw::mixed(colour, theme.ground, 0.16f), rounding);
    canvas.hatch(box, draw::mixed(colour, theme.ground, 0.7f));
  } else {
    canvas.fill(box, draw::mixed(colour, theme.ground, tone == Tone::followed ? 1.0f : 0.62f), rounding);
  }
}

}  // namespace warpwalk::pictures

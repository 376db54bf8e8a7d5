#include "app/panels/transport.h"

#include <fmt/format.h>

namespace warpwalk::panels {
namespace {

using draw::Align;
using draw::Box;
using draw::Style;

}  // namespace

TransportAnswer transport(draw::Ui& ui, const Box& box, const story::Stage& stage, const TransportState& state,
                          std::string_view note) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel);
  canvas.line({box.x, box.y}, {box.right(), box.y}, theme.line, theme.hairline);
  TransportAnswer answer;
  const auto answered = [&](TransportChoice choice) { answer.choice = choice; };
  const float middle = box.y + box.height / 2;
  float x = box.x + 24;

  // Play and pause are drawn: not every font has them.
  const Box play = {x, middle - 18, 36, 36};
  canvas.fill(play, draw::mixed(theme.text, theme.panel, ui.hovered(play) ? 1.0f : 0.85f), 18);
  if (state.playing) {
    canvas.fill({x + 12, middle - 7, 4, 14}, theme.panel);
    canvas.fill({x + 20, middle - 7, 4, 14}, theme.panel);
  } else {
    canvas.triangle({x + 13, middle - 8}, {x + 13, middle + 8}, {x + 27, middle}, theme.panel);
  }
  if (ui.hovered(play)) ui.tooltip(state.playing ? "Pause (Space)" : "Play (Space)");
  if (ui.activated("transport.play", play)) answered(TransportChoice::play);
  x += 48;
  if (ui.button("transport.back", {x, middle - 16, 32, 32}, "‹")) answered(TransportChoice::back);
  x += 36;
  if (ui.button("transport.next", {x, middle - 16, 32, 32}, "›")) answered(TransportChoice::next);
  x += 48;

  for (int b = 1; b <= stage.beats; ++b) {
    const Box dot = {x - 9, middle - 11, 20, 22};
    const bool over = ui.hovered(dot);
    if (b == stage.beat)
      canvas.dot({x, middle}, 6, theme.now);
    else
      canvas.dot({x, middle}, over ? 5.0f : 4.0f,
                 b < stage.beat || over ? theme.second : draw::mixed(theme.second, theme.panel, 0.35f));
    if (ui.activated(fmt::format("transport.beat.{}", b), dot)) {
      answered(TransportChoice::beat);
      answer.beat = b;
    }
    x += 20;
  }
  canvas.text_in({x + 8, box.y, 160, box.height}, Style::label, theme.second, stage.place);
  x += 130;

  // The tools end at the right edge; Tab goes through them from left to right.
  constexpr float between = 4;
  const float widths[] = {30, 44, 30, 104, 64, 64, 50, 50, 58, 78, 32};
  float right = box.right() - 24;
  for (const float width : widths) right -= width + between;
  right += between;
  float at = right;
  const auto tool = [&](std::string_view id, float width, std::string_view word, bool on, std::string_view tip,
                        TransportChoice choice) {
    const Box place = {at, middle - 15, width, 30};
    if (ui.hovered(place)) ui.tooltip(tip);
    if (ui.button(id, place, word, on)) answered(choice);
    at += width + between;
  };
  tool("transport.slower", widths[0], "−", false, "Play slower (-)", TransportChoice::slower);
  canvas.text_in({at, box.y, widths[1], box.height}, Style::mono_small, theme.text, fmt::format("{:g}×", state.speed),
                 Align::centre);
  at += widths[1] + between;
  tool("transport.faster", widths[2], "+", false, "Play faster (+)", TransportChoice::faster);
  tool("transport.motion", widths[3], "Less motion", state.reduced_motion, "Beats jump instead of moving (M)",
       TransportChoice::motion);
  tool("transport.theme", widths[4], "Theme", false, "Dark, light, high contrast (T)", TransportChoice::theme);
  tool("transport.names", widths[5], "Names", false, "Names: both, the hardware's, the company's (H)",
       TransportChoice::names);
  tool("transport.run", widths[6], "Run", false, "Run an expression (X)", TransportChoice::run);
  tool("transport.observe", widths[7], "GPU", false, "What the GPU does now (U)", TransportChoice::observe);
  tool("transport.open", widths[8], "Open", false, "Recent files, recorded walks, lessons (O)", TransportChoice::open);
  tool("transport.present", widths[9], "Present", false, "Stage and sentence only (P); Esc comes back",
       TransportChoice::present);
  tool("transport.help", widths[10], "?", false, "All keys (?)", TransportChoice::help);
  if (right - x > 80)
    canvas.text_in({x, box.y, right - x - 16, box.height}, Style::label, theme.second, note, Align::right);
  return answer;
}

}  // namespace warpwalk::panels

#include "app/panels/transport.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace warpwalk::panels {
namespace {

using draw::Align;
using draw::Box;
using draw::Style;

}  // namespace

TransportAnswer transport(draw::Ui& ui, const Box& box, const story::Stage& stage, const TransportState& state,
                          std::string_view hint) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel);
  canvas.line({box.x, box.y}, {box.right(), box.y}, theme.line, theme.hairline);
  TransportAnswer answer;
  const auto answered = [&](TransportChoice choice) { answer.choice = choice; };
  const float middle = box.y + box.height / 2;
  float x = box.x + 24;

  // Play and pause are drawn because not every font has these characters.
  const Box play = {x, middle - 18, 36, 36};
  canvas.fill(play, draw::mixed(theme.text, theme.panel, ui.hovered(play) ? 1.0f : 0.85f), 18);
  if (state.playing) {
    canvas.fill({x + 12, middle - 7, 4, 14}, theme.panel);
    canvas.fill({x + 20, middle - 7, 4, 14}, theme.panel);
  } else {
    canvas.triangle({x + 13, middle - 8}, {x + 13, middle + 8}, {x + 27, middle}, theme.panel);
  }
  if (ui.hovered(play)) ui.tooltip(ui.word("transport", state.playing ? "pause.tip" : "play.tip"));
  if (ui.activated("transport.play", play)) answered(TransportChoice::play);
  x += 48;
  if (ui.button("transport.back", {x, middle - 16, 32, 32}, "‹")) answered(TransportChoice::back);
  x += 36;
  if (ui.button("transport.next", {x, middle - 16, 32, 32}, "›")) answered(TransportChoice::next);
  x += 48;

  // Beats that go deeper are small.
  const auto on_route = [&](int b) {
    return stage.first_route.empty() || std::ranges::find(stage.first_route, b) != stage.first_route.end();
  };
  for (int b = 1; b <= stage.beats; ++b) {
    const Box dot = {x - 9, middle - 11, 20, 22};
    const bool over = ui.hovered(dot);
    if (b == stage.beat)
      canvas.dot({x, middle}, 6, theme.now);
    else
      canvas.dot({x, middle},
                 over          ? 5.0f
                 : on_route(b) ? 4.0f
                               : 2.0f,
                 b < stage.beat || over ? theme.second : draw::mixed(theme.second, theme.panel, 0.35f));
    if (ui.activated(fmt::format("transport.beat.{}", b), dot)) {
      answered(TransportChoice::beat);
      answer.beat = b;
    }
    x += 20;
  }
  x += 16 + canvas.text_in({x + 8, box.y, 160, box.height}, Style::label, theme.second, stage.place);

  // The tools are aligned to the right edge; Tab visits them from left to right. Each is as wide as its label.
  struct Tool {
    std::string_view key;  // of its label and its tip, in [transport]
    TransportChoice choice;
    bool on;
  };
  const std::array<Tool, 9> tools = {{{"motion", TransportChoice::motion, state.reduced_motion},
                                      {"theme", TransportChoice::theme, false},
                                      {"names", TransportChoice::names, false},
                                      {"run", TransportChoice::run, false},
                                      {"observe", TransportChoice::observe, false},
                                      {"start", TransportChoice::start, false},
                                      {"open", TransportChoice::open, false},
                                      {"present", TransportChoice::present, false},
                                      {"help", TransportChoice::help, false}}};
  constexpr float between = 4, pad = 10, sign_width = 30, speed_width = 44;
  std::array<std::string, tools.size()> labels;
  float right = box.right() - 24 - 2 * sign_width - speed_width - 2 * between;
  for (std::size_t i = 0; i < tools.size(); ++i) {
    labels[i] = ui.word("transport", tools[i].key);
    right -= std::max(sign_width, canvas.text_width(Style::label, labels[i]) + 2 * pad) + between;
  }
  float at = right;
  const auto tool = [&](std::string_view key, float width, std::string_view label, bool on, TransportChoice choice) {
    const Box place = {at, middle - 15, width, 30};
    if (ui.hovered(place)) ui.tooltip(ui.word("transport", fmt::format("{}.tip", key)));
    if (ui.button(fmt::format("transport.{}", key), place, label, on)) answered(choice);
    at += width + between;
  };
  tool("slower", sign_width, "−", false, TransportChoice::slower);
  canvas.text_in({at, box.y, speed_width, box.height}, Style::mono_small, theme.text,
                 base::with_marks(fmt::format("{:g}×", state.speed)), Align::centre);
  at += speed_width + between;
  tool("faster", sign_width, "+", false, TransportChoice::faster);
  for (std::size_t i = 0; i < tools.size(); ++i)
    tool(tools[i].key, std::max(sign_width, canvas.text_width(Style::label, labels[i]) + 2 * pad), labels[i],
         tools[i].on, tools[i].choice);
  if (right - x > 80)
    canvas.text_in({x, box.y, right - x - 16, box.height}, Style::label, theme.second, hint, Align::right);
  return answer;
}

}  // namespace warpwalk::panels

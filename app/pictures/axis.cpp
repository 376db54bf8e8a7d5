#include "app/pictures/axis.h"

#include <algorithm>
#include <cmath>

#include "core/story/elements/figure.h"

namespace warpwalk::pictures {

std::vector<std::int64_t> ticks(double from, double to, int maximum) {
  std::vector<std::int64_t> out;
  if (!(to > from) || maximum < 1) return out;
  std::int64_t step = 1;
  // 1, 2, 5, 10, 20, 50 ...
  for (int i = 0; static_cast<double>(step) * maximum < to - from; ++i) step = i % 3 == 1 ? step / 2 * 5 : step * 2;
  for (auto at = static_cast<std::int64_t>(std::ceil(from / static_cast<double>(step))) * step;
       static_cast<double>(at) <= to; at += step)
    out.push_back(at);
  return out;
}

namespace {

// Places a label above the bar, at the bar's left end or further left if the axis ends. Avoids the other labels there.
bool place_above(const std::vector<LabelPlace>& others, float left, float right, const LabelWish& wish,
                 LabelPlace& place) {
  if (wish.width > right - left) return false;
  const float x = std::clamp(wish.left, left, right - wish.width);
  for (const LabelPlace& other : others)
    if (other.where == LabelPlace::Where::above && x < other.x + other.width + 8 && other.x < x + wish.width + 8)
      return false;
  place = {LabelPlace::Where::above, x, wish.width};
  return true;
}

}  // namespace

std::vector<LabelPlace> place_labels(const std::vector<LabelWish>& wishes, float left, float right) {
  constexpr float pad = 8;        // between a bar's end and its text
  constexpr float telling = 180;  // an important name cut to this width is still clear, so it stays on its bar
  constexpr float shortest = 72;  // a name cut to less than this width is not readable
  std::vector<LabelPlace> places(wishes.size());
  std::vector<std::pair<float, float>> taken;  // used ranges between the bars
  const auto is_free = [&](float from, float to) {
    if (from < left || to > right) return false;
    for (const auto& [a, b] : taken)
      if (from < b && to > a) return false;
    for (const LabelWish& wish : wishes)
      if (from < wish.right + 2 && to > wish.left - 2) return false;
    return true;
  };
  for (const bool important : {true, false}) {
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      const LabelWish& wish = wishes[i];
      if (wish.important != important || wish.width <= 0) continue;
      const float room = wish.right - wish.left - 2 * pad;
      if (wish.width <= room) {
        places[i] = {LabelPlace::Where::inside, wish.left + pad, wish.width};
      } else if (is_free(wish.right + pad, wish.right + pad + wish.width)) {
        places[i] = {LabelPlace::Where::after, wish.right + pad, wish.width};
      } else if (is_free(wish.left - pad - wish.width, wish.left - pad)) {
        places[i] = {LabelPlace::Where::before, wish.left - pad - wish.width, wish.width};
      } else if (important && room < telling && place_above(places, left, right, wish, places[i])) {
        continue;
      } else if (room >= shortest) {
        places[i] = {LabelPlace::Where::inside, wish.left + pad, room};
        continue;
      } else {
        continue;
      }
      if (places[i].where != LabelPlace::Where::inside)
        taken.emplace_back(places[i].x - pad, places[i].x + places[i].width + pad);
    }
  }
  return places;
}

std::string tick_text(std::int64_t ns, std::int64_t step) {
  const auto whole = [&](std::int64_t unit, std::string_view name) {
    return story::with_thousands(ns / unit).append(" ").append(name);
  };
  if (ns == 0) return "0";
  // Use the largest unit that divides the step, so that no tick needs decimals.
  if (step % 1000000000 == 0) return whole(1000000000, "s");
  if (step % 1000000 == 0) return whole(1000000, "ms");
  if (step % 1000 == 0) return whole(1000, "µs");
  return whole(1, "ns");
}

void paint_axis(draw::Canvas& canvas, const Axis& axis, float y, float above) {
  const draw::Theme& theme = canvas.theme();
  canvas.line({axis.left, y}, {axis.right, y}, theme.line, theme.hairline);
  const float room = 110;  // width of a tick with its label
  const int maximum = std::max(1, static_cast<int>((axis.right - axis.left) / room));
  const std::vector<std::int64_t> places = ticks(axis.from, axis.to, maximum);
  for (const std::int64_t tick : places) {
    const float x = axis.x(static_cast<double>(tick));
    canvas.line({x, y - above}, {x, y}, theme.guide, theme.hairline);
    canvas.line({x, y}, {x, y + 5}, theme.second, theme.hairline);
    const std::string label = tick_text(tick, places.size() > 1 ? places[1] - places[0] : tick);
    const float width = canvas.text_width(draw::Style::mono_small, label);
    const float at = std::clamp(x - width / 2, axis.left, std::max(axis.left, axis.right - width));
    canvas.text({at, y + 8}, draw::Style::mono_small, theme.second, label);
  }
}

}  // namespace warpwalk::pictures

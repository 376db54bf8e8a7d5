#include "app/pages/observe/observe_chart.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Style;

constexpr double chart_gap = 0.02;  // share of the reach between the newest and the oldest value if nothing scrolls

void paint_curve(draw::Canvas& canvas, const Box& box, const StripChart& chart, const StripChart::Curve& curve) {
  const auto x_of = [&](double at) {
    const double share = chart.still ? std::fmod(at, chart.reach) / chart.reach : 1 - (chart.now - at) / chart.reach;
    return box.x + box.width * static_cast<float>(std::clamp(share, 0.0, 1.0));
  };
  const auto y_of = [&](double value) {
    return box.bottom() - box.height * static_cast<float>(std::clamp(value / chart.top, 0.0, 1.0));
  };
  const double oldest = chart.now - chart.reach * (chart.still ? 1 - chart_gap : 1);
  constexpr float thickness = 2;
  constexpr float none = -1;
  float before = none;  // height of the previous value, if the curve continues from it
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    const ChartPoint& point = curve.points[i];
    const double from = std::max(curve.points[i - 1].at, oldest);
    if (point.at <= oldest || !point.value) {
      before = none;
      continue;
    }
    const float left = x_of(from), right = x_of(point.at), y = y_of(*point.value);
    if (right <= left) {  // wraps from the right edge to the left one
      before = none;
      continue;
    }
    if (curve.filled) canvas.fill({left, y, right - left, box.bottom() - y}, draw::with_alpha(curve.colour, 0.25f));
    const float line = std::min(y, box.bottom() - thickness);
    canvas.fill({left, line, right - left, thickness}, curve.colour);
    if (before != none && std::abs(before - line) > thickness)
      canvas.fill({left, std::min(before, line), thickness, std::abs(before - line) + thickness}, curve.colour);
    before = line;
  }
}

}  // namespace

void paint_chart(draw::Canvas& canvas, const Box& box, const StripChart& chart) {
  const draw::Theme& theme = canvas.theme();
  const Box plot = {box.x + chart_gutter, box.y, box.width - chart_gutter, box.height};
  canvas.fill(plot, theme.ground);
  for (const float share : {0.0f, 0.5f})
    canvas.line({plot.x, plot.y + plot.height * share}, {plot.right(), plot.y + plot.height * share}, theme.guide,
                theme.hairline);
  canvas.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, theme.line, theme.hairline);
  const float high = canvas.line_height(Style::label);
  const float room = chart_gutter - 10;
  canvas.text({plot.x - 10, plot.y - 3}, Style::label, theme.second, chart.top_words, room, draw::Align::right);
  canvas.text({plot.x - 10, plot.bottom() - high + 3}, Style::label, theme.second, "0", room, draw::Align::right);
  if (chart.limit && *chart.limit <= chart.top) {
    const float y = plot.bottom() - plot.height * static_cast<float>(*chart.limit / chart.top);
    canvas.dashed({plot.x, y}, {plot.right(), y}, theme.second, theme.hairline);
  }
  for (const StripChart::Curve& curve : chart.curves) paint_curve(canvas, plot, chart, curve);
  if (chart.still) {
    const float x = plot.x + plot.width * static_cast<float>(std::fmod(chart.now, chart.reach) / chart.reach);
    canvas.line({x, plot.y}, {x, plot.bottom()}, theme.now, 2);
  }
}

}  // namespace warpwalk::pages

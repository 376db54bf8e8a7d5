// A step curve over one axis, with the current setting marked.
#include <algorithm>

#include "app/pictures/pictures.h"
#include "core/story/stage/controls.h"

namespace warpwalk::pictures {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::ChartPicture;

constexpr float chart_head_height = 24;
constexpr float chart_tick_height = 20;
constexpr float left_room = 34;

struct ChartPlot {
  Box box;
  double from = 0, to = 1, top = 1;
  float x(double value) const {
    const double share = to > from ? (value - from) / (to - from) : 0;
    return box.x + box.width * static_cast<float>(std::clamp(share, 0.0, 1.0));
  }
  float y(double value) const { return box.bottom() - box.height * static_cast<float>(value / top); }
};

ChartPlot plot_in(const Box& box, const ChartPicture& chart) {
  return {{box.x + left_room, box.y + chart_head_height, box.width - left_room - 8,
           std::max(12.0f, box.height - chart_head_height - chart_tick_height - 8)},
          chart.from,
          chart.to,
          chart.top};
}

void paint_chart_axes(Canvas& canvas, const ChartPlot& plot, const ChartPicture& chart, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const Box& box = plot.box;
  const float half = canvas.line_height(Style::mono_small) / 2;
  for (std::size_t i = 0; i < chart.levels.size(); ++i) {
    const auto& [value, text] = chart.levels[i];
    const float y = plot.y(value);
    canvas.line({box.x, y}, {box.right(), y}, faded(value == 0 ? theme.line : theme.guide), theme.hairline);
    const bool at_an_end = i == 0 || i + 1 == chart.levels.size();
    if (at_an_end || box.height > 60)
      canvas.text({box.x - 8, y - half}, Style::mono_small, faded(theme.faint), text, left_room, Align::right);
  }
  float free_from = box.x - 20;
  for (const auto& [at, text] : chart.ticks) {
    const float width = canvas.text_width(Style::mono_small, text);
    const float x = std::clamp(plot.x(at) - width / 2, box.x - 10, box.right() - width);
    canvas.line({plot.x(at), box.bottom()}, {plot.x(at), box.bottom() + 4}, faded(theme.line), theme.hairline);
    if (x < free_from) continue;
    canvas.text({x, box.bottom() + 5}, Style::mono_small, faded(theme.faint), text);
    free_from = x + width + 12;
  }
}

void paint_chart_steps(Canvas& canvas, const ChartPlot& plot, const ChartPicture& chart, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  for (std::size_t i = 0; i < chart.steps.size(); ++i) {
    const story::ChartStep& step = chart.steps[i];
    const float left = plot.x(step.from);
    const float right = i + 1 < chart.steps.size() ? plot.x(chart.steps[i + 1].from) : plot.x(step.to);
    const float y = plot.y(step.value);
    canvas.fill({left, y, right - left, plot.box.bottom() - y}, faded(draw::mixed(theme.done, theme.ground, 0.16f)));
    canvas.line({left, y}, {right, y}, faded(theme.done), 2);
    if (i > 0) {
      const float before = plot.y(chart.steps[i - 1].value);
      canvas.line({left, std::min(before, y)}, {left, std::max(before, y) + 1}, faded(theme.done), 1);
    }
  }
}

void paint_marks(Canvas& canvas, const ChartPlot& plot, const ChartPicture& chart, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const float x = plot.x(chart.here.at), y = chart.here.value ? plot.y(*chart.here.value) : plot.box.y;
  if (chart.reference) {
    const float at = plot.x(chart.reference->at);
    canvas.dashed({at, plot.box.y}, {at, plot.box.bottom()}, faded(theme.second), 1);
    const float width = canvas.text_width(Style::label, chart.reference->text);
    const bool after = at + 8 + width < plot.box.right();
    const float left = after ? at + 6 : at - 6 - width;
    canvas.fill({left - 2, plot.box.y + 1, width + 4, canvas.line_height(Style::label) + 2}, theme.ground);
    canvas.text({left, plot.box.y + 1}, Style::label, faded(theme.second), chart.reference->text);
  }
  canvas.line({x, y}, {x, plot.box.bottom()}, faded(theme.now), 1.5f);
  if (chart.here.value) {
    canvas.dot({x, y}, 6, faded(theme.ground));
    canvas.dot({x, y}, 5, faded(theme.now));
  }
  if (!chart.better) return;
  const float bx = plot.x(chart.better->at), by = plot.y(*chart.better->value);
  canvas.dot({bx, by}, 6, faded(theme.shared));
  canvas.dot({bx, by}, 4, faded(theme.ground));
  const float width = canvas.text_width(Style::mono_small, chart.better->text);
  const bool after = bx + 10 + width < plot.box.right();
  const float ty = std::max(plot.box.y - 4, by - canvas.line_height(Style::mono_small) - 2);
  canvas.text({after ? bx + 9 : bx - 9 - width, ty}, Style::mono_small, faded(theme.shared), chart.better->text);
}

}  // namespace

Box chart_here(const Box& box, const ChartPicture& chart) {
  const ChartPlot plot = plot_in(box, chart);
  const float y = plot.y(chart.here.value.value_or(chart.top));
  return {plot.x(chart.here.at), y, 0, plot.box.bottom() - y};
}

Touch paint_chart(Canvas& canvas, draw::Ui* ui, const Box& box, const ChartPicture& chart, float shown) {
  Touch touch;
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const ChartPlot plot = plot_in(box, chart);
  const float here = canvas.text_width(Style::mono_small, chart.here.text);
  const bool roomy = here + canvas.text_width(Style::label, chart.label) + 16 < box.width;
  canvas.text({box.x, box.y}, Style::label, faded(theme.text), chart.label,
              roomy ? box.width : std::max(60.0f, box.width - here - 8));
  canvas.text({box.right() - 8, box.y + 1}, Style::mono_small, faded(theme.now), chart.here.text, box.width - 60,
              Align::right);
  paint_chart_axes(canvas, plot, chart, shown);
  paint_chart_steps(canvas, plot, chart, shown);
  paint_marks(canvas, plot, chart, shown);
  if (ui == nullptr || shown < 1) return touch;
  if (!chart.control.empty()) {
    const std::size_t at = story::step_at(chart.stops, chart.here.at), last = chart.stops.size() - 1;
    if (const auto stop = ui->slider("chart." + chart.control, plot.box, at, last))
      touch.set.emplace_back(chart.control, chart.stops[*stop]);
  }
  if (ui->hovered(plot.box)) {
    ui->point(plot.box, chart.label);
    ui->tooltip(chart.tip);
  }
  return touch;
}

}  // namespace warpwalk::pictures

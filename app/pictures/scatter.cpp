// Points over two axes.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Point;
using draw::Style;
using story::ScatterPicture;

constexpr float scatter_legend_height = 24;
constexpr float scatter_tick_height = 20;
constexpr float label_height = 20;
constexpr float least_left = 74;  // of the plot, for the numbers of the axis
constexpr float mark_size = 4;
constexpr float roomy_height = 150;

float share_of(const story::ScatterAxis& axis, double value) {
  const double at = std::clamp(value, axis.from, axis.to);
  const double share = axis.logarithmic ? std::log(at / axis.from) / std::log(axis.to / axis.from)
                                        : (at - axis.from) / (axis.to - axis.from);
  return static_cast<float>(share);
}

struct ScatterPlot {
  Box box;
  const ScatterPicture& picture;
  Point at(const std::pair<double, double>& place) const {
    return {box.x + box.width * share_of(picture.across, place.first),
            box.bottom() - box.height * share_of(picture.up, place.second)};
  }
};

void paint_band(Canvas& canvas, const ScatterPlot& plot) {
  const draw::Theme& theme = canvas.theme();
  const auto& corners = plot.picture.band;
  const ImU32 colour = draw::mixed(theme.done, theme.ground, 0.13f);
  for (std::size_t i = 2; i < corners.size(); ++i)
    canvas.triangle(plot.at(corners[0]), plot.at(corners[i - 1]), plot.at(corners[i]), colour);
}

void paint_scatter_axes(Canvas& canvas, const ScatterPlot& plot) {
  const draw::Theme& theme = canvas.theme();
  const Box& box = plot.box;
  const float half = canvas.line_height(Style::mono_small) / 2;
  float written = box.bottom() + box.height;  // the height of the last number; one that would touch it is left out
  for (const auto& [value, text] : plot.picture.up.ticks) {
    const float y = plot.at({plot.picture.across.from, value}).y;
    canvas.line({box.x, y}, {box.right(), y}, theme.guide, theme.hairline);
    if (std::abs(y - written) < 2 * half) continue;
    written = y;
    canvas.text({box.x - 8, y - half}, Style::mono_small, theme.second, text, 1e6f, Align::right);
  }
  float free_from = box.x - least_left;
  for (const auto& [value, text] : plot.picture.across.ticks) {
    const float x = plot.at({value, plot.picture.up.from}).x;
    canvas.line({x, box.y}, {x, box.bottom()}, theme.guide, theme.hairline);
    const float width = canvas.text_width(Style::mono_small, text);
    const float left = std::min(x - width / 2, box.right() - width);
    if (left < free_from) continue;
    canvas.text({left, box.bottom() + 5}, Style::mono_small, theme.second, text);
    free_from = left + width + 12;
  }
  canvas.line({box.x, box.y}, {box.x, box.bottom()}, theme.line, theme.hairline);
  canvas.line({box.x, box.bottom()}, {box.right(), box.bottom()}, theme.line, theme.hairline);
  canvas.text({box.right(), box.bottom() + scatter_tick_height + 2}, Style::label, theme.second,
              plot.picture.across.label, box.width, Align::right);
}

// A disc, a diamond or a ring.
void paint_mark(Canvas& canvas, Point at, std::size_t group, ImU32 colour) {
  const ImU32 ground = canvas.theme().ground;
  if (group == 1) {
    const auto diamond = [&](float size, ImU32 paint) {
      constexpr float overlap = 0.75f;  // so that no seam is seen between the halves
      canvas.triangle({at.x - size, at.y + overlap}, {at.x, at.y - size}, {at.x + size, at.y + overlap}, paint);
      canvas.triangle({at.x + size, at.y - overlap}, {at.x, at.y + size}, {at.x - size, at.y - overlap}, paint);
    };
    diamond(mark_size + 3, ground);
    diamond(mark_size + 1.5f, colour);
    return;
  }
  canvas.dot(at, mark_size + 1.2f, ground);
  canvas.dot(at, mark_size, colour);
  if (group == 2) canvas.dot(at, mark_size - 1.5f, ground);
}

// Returns the right end.
float paint_scatter_legend(Canvas& canvas, const Box& box, const ScatterPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  float x = box.right();
  for (std::size_t i = picture.groups.size(); i-- > 0;) {
    const story::ScatterGroup& group = picture.groups[i];
    const float width = canvas.text_width(Style::label, group.name);
    x -= width;
    canvas.text({x, box.y}, Style::label, theme.text, group.name);
    x -= 12;
    paint_mark(canvas, {x, box.y + canvas.line_height(Style::label) / 2}, i, colour_of(group.tone, theme));
    x -= mark_size + 20;
  }
  return x;
}

void paint_reference_lines(Canvas& canvas, const ScatterPlot& plot) {
  const draw::Theme& theme = canvas.theme();
  for (const story::ScatterLine& line : plot.picture.lines) {
    const Point from = plot.at(line.from), to = plot.at(line.to);
    if (line.dashed)
      canvas.dashed(from, to, theme.second, 1);
    else
      canvas.line(from, to, theme.second, 1.25f);
  }
}

bool overlaps(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// Draws names beside lines and points where they do not cover marks or other names; names that do not fit are omitted.
void paint_names(Canvas& canvas, const ScatterPlot& plot) {
  const draw::Theme& theme = canvas.theme();
  const float high = canvas.line_height(Style::label);
  std::vector<Box> taken;
  for (const story::ScatterPoint& point : plot.picture.points) {
    const Point at = plot.at({point.x, point.y});
    taken.push_back({at.x - mark_size, at.y - mark_size, 2 * mark_size, 2 * mark_size});
  }
  std::vector<Box> crossed;  // lines may be covered if all other places are worse
  for (const story::ScatterLine& line : plot.picture.lines) {
    const Point from = plot.at(line.from), to = plot.at(line.to);
    constexpr int pieces = 200;
    for (int i = 0; i <= pieces; ++i) {
      const float part = static_cast<float>(i) / pieces;
      crossed.push_back({from.x + (to.x - from.x) * part - 2, from.y + (to.y - from.y) * part - 2, 4, 4});
    }
  }
  const auto place = [&](Point at, const std::string& text, ImU32 colour) {
    const float width = canvas.text_width(Style::label, text);
    const float gap = mark_size + 5;
    const std::array<Point, 8> offsets = {
        Point{gap, -high / 2},     {-gap - width, -high / 2}, {gap, -high - 2}, {-gap - width, 2}, {gap, 2},
        {-gap - width, -high - 2}, {-width / 2, -high - gap}, {-width / 2, gap}};
    const auto inside = [&](const Box& box) {
      return box.x >= plot.box.x && box.right() <= plot.box.right() && box.y >= plot.box.y - 2 &&
             box.bottom() <= plot.box.bottom() + 2;
    };
    const auto free = [&](const Box& box, const std::vector<Box>& others) {
      return std::ranges::none_of(others, [&](const Box& other) { return overlaps(box, other); });
    };
    for (const bool beside_lines : {true, false})
      for (const Point& offset : offsets) {
        const Box box = {at.x + offset.x, at.y + offset.y, width, high};
        if (!inside(box) || !free(box, taken) || (beside_lines && !free(box, crossed))) continue;
        canvas.text({box.x, box.y}, Style::label, colour, text);
        taken.push_back(box);
        return;
      }
  };
  for (const story::ScatterPoint& point : plot.picture.points)
    if (point.named)
      place(plot.at({point.x, point.y}), point.name,
            point.group < plot.picture.groups.size()
                ? draw::mixed(colour_of(plot.picture.groups[point.group].tone, theme), theme.text, 0.6f)
                : theme.text);
  for (const story::ScatterLine& line : plot.picture.lines)
    if (!line.text.empty()) place(plot.at(line.to), line.text, theme.second);
}

}  // namespace

Touch paint_scatter(Canvas& canvas, draw::Ui* ui, const Box& box, const ScatterPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const float legend_left = paint_scatter_legend(canvas, {box.x, box.y, box.width - 8, scatter_legend_height}, picture);
  // A name of the axis that does not fit beside the legend goes below it, if the plot can spare the line.
  const bool beside = canvas.text_width(Style::label, picture.up.label) <= legend_left - box.x - 8;
  const float second_line = !beside && box.height >= roomy_height ? label_height : 0;
  const float head = scatter_legend_height + second_line;
  float left = least_left;
  for (const auto& [value, text] : picture.up.ticks)
    left = std::max(left, canvas.text_width(Style::mono_small, text) + 12);
  const ScatterPlot plot = {{box.x + left, box.y + head, box.width - left - 8,
                             std::max(20.0f, box.height - head - scatter_tick_height - label_height)},
                            picture};
  canvas.text({box.x, box.y + second_line}, Style::label, theme.second, picture.up.label,
              second_line > 0 ? box.width : legend_left - box.x - 8);
  paint_band(canvas, plot);
  paint_scatter_axes(canvas, plot);
  paint_reference_lines(canvas, plot);
  for (const story::ScatterPoint& point : picture.points)
    if (point.group < picture.groups.size())
      paint_mark(canvas, plot.at({point.x, point.y}), point.group, colour_of(picture.groups[point.group].tone, theme));
  paint_names(canvas, plot);
  Touch touch;
  if (ui == nullptr) return touch;
  for (const story::ScatterPoint& point : picture.points) {
    const Point at = plot.at({point.x, point.y});
    const Box mark = {at.x - mark_size - 2, at.y - mark_size - 2, 2 * mark_size + 4, 2 * mark_size + 4};
    if (!ui->hovered(mark)) continue;
    ui->point(mark, point.name);
    ui->tooltip(point.name + "\n" + point.text);
    if (ui->input().mouse_pressed) touch.rank = point.rank;
    break;
  }
  return touch;
}

}  // namespace warpwalk::pictures

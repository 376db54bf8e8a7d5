// Two rows of cells with straight arrows from the upper to the lower one.
#include <algorithm>
#include <cmath>

#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Point;
using draw::Style;

constexpr float link_cell_pad = 6, least_link_way = 26, plain_link_way = 48, highest_link_way = 150;
constexpr float link_legend_gap = 8, link_note_height = 22, widest_upper_cell = 44;
constexpr float wide_group_gap = 8;

bool any_below(const std::vector<story::LinkCell>& cells) {
  return std::ranges::any_of(cells, [](const story::LinkCell& cell) { return !cell.below.empty(); });
}

float link_line(const Canvas& canvas) { return canvas.line_height(Style::mono_small); }
float link_cell_height(const Canvas& canvas) { return link_line(canvas) + link_cell_pad; }

// Everything but the arrows.
float fixed_links_height(const Canvas& canvas, float width, const story::LinkPicture& picture) {
  const float legend = legend_height(canvas, width, picture.legend);
  return 2 * link_cell_height(canvas) + (any_below(picture.to) ? link_line(canvas) + 2 : 0) +
         (picture.groups.empty() ? 0 : link_line(canvas) + 4) + (legend > 0 ? legend + link_legend_gap : 0) +
         (picture.note.empty() ? 0 : link_note_height);
}

/// Where the cells of both rows are.
struct LinkPlaces {
  std::vector<Box> from, to;
  float names = 0;  ///< the room left of the rows
};

LinkPlaces places_in(const Canvas& canvas, const Box& box, const story::LinkPicture& picture) {
  LinkPlaces places;
  for (const std::string& name : {picture.from_name, picture.to_name, picture.group_name})
    if (!name.empty()) places.names = std::max(places.names, canvas.text_width(Style::label, name) + 14);
  const float x = box.x + places.names, width = box.width - places.names;
  const float high = link_cell_height(canvas);
  const float way = std::clamp(box.height - fixed_links_height(canvas, box.width, picture), 12.0f, highest_link_way);
  // Both rows are as wide as the upper one may be, so that arrows of neighbours stay parallel.
  const auto upper = static_cast<float>(std::max<std::size_t>(1, picture.from.size()));
  const float cell = std::min(width / upper, widest_upper_cell);
  for (std::size_t i = 0; i < picture.from.size(); ++i)
    places.from.push_back({x + static_cast<float>(i) * cell, box.y, cell - (cell >= 8 ? 2.0f : 0.0f), high});
  const std::size_t group = std::max<std::size_t>(1, picture.group);
  const auto lower = static_cast<float>(std::max<std::size_t>(1, picture.to.size()));
  const float step = cell * upper / lower;
  const float gap = step >= 8 ? 2.0f : step >= 4 ? 1.0f : 0.0f;
  for (std::size_t i = 0; i < picture.to.size(); ++i) {
    const bool last = group > 1 && i % group == group - 1;
    places.to.push_back({x + static_cast<float>(i) * step, box.y + high + way,
                         step - (last ? std::min(wide_group_gap, 0.4f * step) : gap), high});
  }
  return places;
}

// All labels of a row or none: single gaps would seem to mean something.
template <class Text>
bool all_fit(const Canvas& canvas, const std::vector<story::LinkCell>& cells, const std::vector<Box>& boxes,
             const Text& text) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (canvas.text_width(Style::mono_small, text(cells[i])) > boxes[i].width) return false;
  return true;
}

void paint_link_cells(Canvas& canvas, const std::vector<story::LinkCell>& cells, const std::vector<Box>& boxes,
                      story::Tone part_tone) {
  const draw::Theme& theme = canvas.theme();
  const bool labels = all_fit(canvas, cells, boxes, [](const story::LinkCell& cell) { return cell.label; });
  const bool below = all_fit(canvas, cells, boxes, [](const story::LinkCell& cell) { return cell.below; });
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const story::LinkCell& cell = cells[i];
    const Box& box = boxes[i];
    paint_tone(canvas, box, cell.tone, cell.parts.empty() && box.width >= 10 ? 3.0f : 0.0f);
    for (const auto& [begin, end] : cell.parts) {
      const float left = box.x + box.width * static_cast<float>(begin);
      const float wide = box.width * static_cast<float>(end - begin);
      canvas.fill({left, box.y, std::max(1.0f, wide - (wide >= 6 ? 1.0f : 0.0f)), box.height},
                  fill_of(part_tone, theme));
    }
    if (labels) canvas.text_in(box, Style::mono_small, text_on(cell.tone, theme), cell.label, draw::Align::centre);
    if (below && !cell.below.empty())
      canvas.text_in({box.x - 2, box.bottom() + 1, box.width + 4, link_line(canvas)}, Style::mono_small, theme.second,
                     cell.below, draw::Align::centre);
  }
}

void paint_link(Canvas& canvas, const LinkPlaces& places, const story::Link& link, bool followed) {
  const draw::Theme& theme = canvas.theme();
  const Box &upper = places.from[link.from], &lower = places.to[link.to];
  const Point start = {upper.x + upper.width / 2, upper.bottom() + 1};
  const Point end = {lower.x + lower.width * static_cast<float>(link.at), lower.y - 1};
  const ImU32 colour = followed ? theme.now : draw::mixed(colour_of(link.tone, theme), theme.ground, 0.75f);
  const float dx = end.x - start.x, dy = end.y - start.y, length = std::sqrt(dx * dx + dy * dy);
  if (length < 8) return;
  const float head = followed ? 8.0f : 5.0f, half = followed ? 4.0f : 2.5f;
  const Point unit = {dx / length, dy / length}, neck = {end.x - unit.x * head, end.y - unit.y * head};
  canvas.line(start, neck, colour, followed ? 2.0f : 1.0f);
  canvas.triangle(end, {neck.x - unit.y * half, neck.y + unit.x * half},
                  {neck.x + unit.y * half, neck.y - unit.x * half}, colour);
}

// All labels if they have room, otherwise as many as have, at equal distances.
void paint_link_groups(Canvas& canvas, const LinkPlaces& places, const story::LinkPicture& picture, float y) {
  if (picture.groups.empty() || places.to.empty()) return;
  float widest = 0;
  for (const std::string& label : picture.groups)
    widest = std::max(widest, canvas.text_width(Style::mono_small, label));
  const std::size_t group = std::max<std::size_t>(1, picture.group);
  const float step = (places.to.back().right() - places.to.front().x) / static_cast<float>(picture.groups.size());
  std::size_t every = 1;
  while (static_cast<float>(every) * step < widest + 10 && every < picture.groups.size()) every *= 2;
  std::size_t closest = picture.groups.size(), last = picture.groups.size();
  for (std::size_t i = 0; i < picture.groups.size(); ++i) {
    if (picture.groups[i].empty()) continue;
    if (last < i) closest = std::min(closest, i - last);
    last = i;
  }
  if (closest >= every) every = 1;
  for (std::size_t i = 0; i < picture.groups.size() && i * group < places.to.size(); i += every)
    canvas.text({places.to[i * group].x, y}, Style::mono_small, canvas.theme().second, picture.groups[i]);
}

}  // namespace

float least_links_height(const Canvas& canvas, float width, const story::LinkPicture& picture) {
  return fixed_links_height(canvas, width, picture) + least_link_way;
}

float whole_links_height(const Canvas& canvas, float width, const story::LinkPicture& picture) {
  return fixed_links_height(canvas, width, picture) + plain_link_way;
}

Touch paint_links(Canvas& canvas, draw::Ui* ui, const Box& box, const story::LinkPicture& picture) {
  Touch touch;
  const draw::Theme& theme = canvas.theme();
  if (picture.from.empty()) return touch;
  const LinkPlaces places = places_in(canvas, box, picture);
  const float high = link_cell_height(canvas), line = link_line(canvas);
  const auto name = [&](float y, float height, const std::string& text) {
    canvas.text_in({box.x, y, places.names - 6, height}, Style::label, theme.second, text);
  };
  paint_link_cells(canvas, picture.from, places.from, picture.part_tone);
  paint_link_cells(canvas, picture.to, places.to, picture.part_tone);
  name(box.y, high, picture.from_name);
  for (const bool followed : {false, true})
    for (const story::Link& link : picture.links)
      if ((picture.followed == link.from) == followed) paint_link(canvas, places, link, followed);
  if (picture.followed && *picture.followed < places.from.size()) {
    const Box& cell = places.from[*picture.followed];
    canvas.outline({cell.x - 2, cell.y - 2, cell.width + 4, cell.height + 4}, theme.now, 4, 2);
  }
  float y = box.y + high;
  if (!places.to.empty()) {
    name(places.to.front().y, high, picture.to_name);
    y = places.to.front().bottom() + 2 + (any_below(picture.to) ? line + 2 : 0);
    if (!picture.groups.empty()) {
      name(y, line, picture.group_name);
      paint_link_groups(canvas, places, picture, y);
      y += line + 2;
    }
  }
  if (!picture.legend.empty()) {
    y += link_legend_gap;
    paint_legend(canvas, {box.x, y, box.width, 0}, picture.legend);
    y += legend_height(canvas, box.width, picture.legend);
  }
  if (!picture.note.empty()) canvas.text({box.x, y + 2}, Style::label, theme.second, picture.note, box.width);
  if (ui == nullptr) return touch;
  const auto point = [&](const Box& place, const std::string& tip) {
    if (tip.empty() || !ui->hovered(place)) return false;
    ui->point(place, tip);
    ui->tooltip(tip);
    return true;
  };
  for (std::size_t i = 0; i < places.from.size(); ++i)
    if (point(places.from[i], picture.from[i].tip) && ui->input().mouse_pressed && !picture.control.empty())
      touch.set.emplace_back(picture.control, static_cast<double>(i));
  for (std::size_t i = 0; i < places.to.size(); ++i) point(places.to[i], picture.to[i].tip);
  return touch;
}

}  // namespace warpwalk::pictures

// Rows of bars over one time axis, with an arrow from the launch to the work that it started.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "app/pictures/axis.h"
#include "app/pictures/pictures.h"
#include "core/story/elements/figure.h"

namespace warpwalk::pictures {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Point;
using draw::Style;
using story::Bar;
using story::Role;

constexpr float gutter = 132;        // row names
constexpr float group_head = 30;     // a group's name
constexpr float least_bar_row = 36;  // a separate label still fits in the row
constexpr float tallest_bar = 34;    // in a taller row, a label fits above the bars

// The space around the rows. It is smaller in a low box, so that nothing exceeds the box.
struct Spacing {
  float group_gap = 44;  // between groups; contains the measures
  float axis_room = 40;
  float legend_room = 28;
  float around(float groups) const { return axis_room + legend_room + group_head * groups + group_gap * (groups - 1); }
};

constexpr float lowest_bar_row = 20;

Spacing spacing_for(float height, float rows, float groups) {
  const Spacing roomy, close = {32, 32, 22}, without_legend = {26, 30, 0};
  if (height - roomy.around(groups) >= least_bar_row * rows) return roomy;
  return height - close.around(groups) >= lowest_bar_row * rows ? close : without_legend;
}

// The picture without the rows of Python frames, which are omitted first if not all rows fit.
story::TimelinePicture without_python(const story::TimelinePicture& picture) {
  story::TimelinePicture fewer = picture;
  for (story::RowGroup& group : fewer.groups)
    std::erase_if(group.rows, [](const story::Row& row) {
      return !row.bars.empty() &&
             std::ranges::all_of(row.bars, [](const Bar& bar) { return bar.role == Role::python && !bar.followed; });
    });
  return fewer;
}

bool has_bars(const story::TimelinePicture& picture) {
  return std::ranges::any_of(picture.groups, [](const story::RowGroup& group) {
    return std::ranges::any_of(group.rows, [](const story::Row& row) { return row.shown > 0 && !row.bars.empty(); });
  });
}

// True for waiting and for the profiler's own work.
bool is_hatched(Role role) { return role == Role::overhead || role == Role::wait; }

struct BarColours {
  ImU32 fill;
  ImU32 edge;
  ImU32 text;
};

BarColours colours_of(const Bar& bar, const draw::Theme& theme, float shown) {
  const ImU32 own = draw::colour_of(bar.role, theme);
  BarColours colours{};
  const bool quiet = draw::colour_of(bar.role, theme) == theme.host;
  if (bar.followed && !quiet) {
    colours = {own, own, theme.on_colour};
  } else if (bar.followed) {
    colours = {draw::mixed(own, theme.ground, 0.38f), own, theme.text};
  } else {
    colours = {draw::mixed(own, theme.ground, quiet ? 0.13f : 0.3f), draw::mixed(own, theme.ground, 0.45f),
               theme.second};
  }
  for (ImU32* c : {&colours.fill, &colours.edge, &colours.text}) *c = draw::mixed(*c, theme.ground, shown);
  return colours;
}

struct Placed {
  Box box;
  float shortened = 0;       ///< units at the end of each bar; without times, an outer bar ends after its inner ones
  bool words_below = false;  ///< labels are below the bars, because arrows arrive from above
  // Leaves room for a separate label, except in the lowest rows.
  float bar_height() const { return std::min(std::max(box.height - 17, std::min(box.height - 4, 19.0f)), tallest_bar); }
  float bar_top() const { return words_below ? box.y + 4 : box.bottom() - 4 - bar_height(); }
  Box bar(const Axis& axis, const Bar& bar) const {
    const float left = std::clamp(axis.x(static_cast<double>(bar.start)), axis.left, axis.right);
    const float right = std::clamp(axis.x(static_cast<double>(bar.end)), axis.left, axis.right) - shortened;
    return {left, bar_top(), std::max(right - left, 2.0f), bar_height()};
  }
};

// Draws a torn edge where the axis cuts a bar: the bar continues, so its length on screen is not its duration.
void paint_torn_edge(Canvas& canvas, float x, float inwards, const Box& box, ImU32 edge) {
  constexpr float depth = 6, tooth = 7;
  const float teeth = std::max(2.0f, std::round(box.height / tooth));
  const float step = box.height / teeth;
  for (float i = 0; i < teeth; ++i) {
    const Point top = {x, box.y + i * step}, middle = {x + inwards * depth, box.y + (i + 0.5f) * step},
                bottom = {x, box.y + (i + 1) * step};
    canvas.triangle({x - inwards, top.y}, middle, {x - inwards, bottom.y}, canvas.theme().ground);
    canvas.line(top, middle, edge, 1.25f);
    canvas.line(middle, bottom, edge, 1.25f);
  }
}

void paint_bar(Canvas& canvas, const Axis& axis, const Bar& bar, const Box& box, float shown) {
  const draw::Theme& theme = canvas.theme();
  const BarColours colours = colours_of(bar, theme, shown);
  const bool open_left = static_cast<double>(bar.start) < axis.from;
  const bool open_right = static_cast<double>(bar.end) > axis.to;
  const ImDrawFlags corners = open_left && open_right ? ImDrawFlags_RoundCornersNone
                              : open_left             ? ImDrawFlags_RoundCornersRight
                              : open_right            ? ImDrawFlags_RoundCornersLeft
                                                      : ImDrawFlags_RoundCornersAll;
  canvas.fill(box, colours.fill, 5, corners);
  if (is_hatched(bar.role) && box.width > 4)
    canvas.hatch(box, draw::mixed(colours.edge, colours.fill, 0.6f), bar.role == Role::wait);
  if (box.width > 6) canvas.outline(box, colours.edge, 5, theme.hairline, corners);
  if (box.width < 24) return;
  if (open_left) paint_torn_edge(canvas, box.x, 1, box, colours.edge);
  if (open_right) paint_torn_edge(canvas, box.right(), -1, box, colours.edge);
}

void paint_bar_row(Canvas& canvas, const Axis& axis, const story::Row& row, const Placed& placed) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(row.shown);
  canvas.text_in({placed.box.x, placed.bar_top(), gutter - 14, placed.bar_height()}, Style::label,
                 draw::mixed(theme.second, theme.ground, shown), row.name, draw::Align::right);
  std::vector<LabelWish> wishes;
  for (const Bar& bar : row.bars) {
    const Box box = placed.bar(axis, bar);
    paint_bar(canvas, axis, bar, box, shown);
    wishes.push_back({box.x, box.right(), canvas.text_width(Style::mono_small, bar.label), bar.followed});
  }
  const std::vector<LabelPlace> places = place_labels(wishes, axis.left, axis.right);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].where == LabelPlace::Where::none) continue;
    const Bar& bar = row.bars[i];
    const BarColours colours = colours_of(bar, theme, shown);
    const bool inside = places[i].where == LabelPlace::Where::inside;
    // Of a bar that the axis cuts, half of a label would say neither its time nor its name; the pointer tells both.
    const bool torn = static_cast<double>(bar.start) < axis.from || static_cast<double>(bar.end) > axis.to;
    if (torn && !bar.followed && canvas.text_width(Style::mono_small, bar.label) > places[i].width + 1) continue;
    const ImU32 colour =
        inside ? colours.text : draw::mixed(bar.followed ? theme.text : theme.second, theme.ground, shown);
    const Box bars = placed.bar(axis, bar);
    const bool above = places[i].where == LabelPlace::Where::above;
    const float line = canvas.line_height(Style::mono_small) + 2;
    const Box room = {places[i].x,
                      !above               ? bars.y
                      : placed.words_below ? std::min(bars.bottom() + 1, placed.box.bottom() + 6 - line)
                                           : std::max(placed.box.y - 2, bars.y - line),
                      places[i].width + 1, above ? line : bars.height};
    constexpr float least_seen = 12;  // of a bar below its label
    if (above && !placed.words_below && room.bottom() > bars.bottom() - least_seen) continue;
    if (above) canvas.fill({room.x - 4, room.y, room.width + 8, room.height}, theme.ground);
    // Text over hatching is hard to read, so it gets a plain background.
    if (inside && is_hatched(bar.role))
      canvas.fill({room.x - 4, bars.y + 3,
                   canvas.text_width(Style::mono_small, canvas.fitted(Style::mono_small, bar.label, room.width)) + 8,
                   bars.height - 6},
                  colours.fill);
    canvas.text_in(room, Style::mono_small, colour, bar.label);
  }
}

void paint_bar_legend(Canvas& canvas, float right, float y, const story::TimelinePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  std::vector<Role> present;
  for (const auto& group : picture.groups)
    for (const auto& row : group.rows)
      if (row.shown > 0)
        for (const Bar& bar : row.bars) {
          const Role role = bar.role == Role::python || bar.role == Role::call ? Role::op : bar.role;
          if (std::find(present.begin(), present.end(), role) == present.end()) present.push_back(role);
        }
  // Roles that look the same share a swatch.
  std::vector<std::pair<Role, std::string>> entries;
  for (const auto& [role, word] : picture.legend) {
    if (std::find(present.begin(), present.end(), role) == present.end()) continue;
    const auto looks_like = [&, own = role](const auto& entry) {
      return draw::colour_of(entry.first, theme) == draw::colour_of(own, theme) && !is_hatched(entry.first) &&
             !is_hatched(own);
    };
    const auto same = std::find_if(entries.begin(), entries.end(), looks_like);
    if (same == entries.end())
      entries.emplace_back(role, word);
    else
      same->second += ", " + word;
  }
  float x = right;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    x -= canvas.text({x, y}, Style::label, theme.second, entry->second, 400, draw::Align::right) + 8;
    const Box swatch = {x - 14, y + 2, 14, 14};
    Bar sample;
    sample.role = entry->first;
    sample.followed = true;
    const BarColours colours = colours_of(sample, theme, 1);
    canvas.fill(swatch, colours.fill, 3);
    if (is_hatched(entry->first)) canvas.hatch(swatch, colours.edge, entry->first == Role::wait);
    canvas.outline(swatch, colours.edge, 3, theme.hairline);
    x -= 14 + 24;
  }
}

}  // namespace

float whole_bars_height(const story::TimelinePicture& picture) {
  std::size_t rows = 0;
  for (const auto& group : picture.groups) rows += group.rows.size();
  const Spacing close = {32, 32, 22};
  return close.around(static_cast<float>(picture.groups.size())) + lowest_bar_row * static_cast<float>(rows);
}

Touch paint_bars(Canvas& canvas, draw::Ui* ui, const Box& box, const story::TimelinePicture& picture,
                 const std::optional<std::int64_t>& now) {
  const draw::Theme& theme = canvas.theme();
  std::size_t row_count = 0;
  for (const auto& group : picture.groups) row_count += group.rows.size();
  if (row_count == 0) return {};
  const auto groups = static_cast<float>(picture.groups.size());
  const auto rows = static_cast<float>(row_count);
  const auto [group_gap, axis_room, legend_room] = spacing_for(box.height, rows, groups);
  const float room = box.height - Spacing{group_gap, axis_room, legend_room}.around(groups);
  if (room < lowest_bar_row * rows) {
    const story::TimelinePicture fewer = without_python(picture);
    std::size_t left = 0;
    for (const auto& group : fewer.groups) left += group.rows.size();
    if (left > 0 && left < row_count) return paint_bars(canvas, ui, box, fewer, now);
  }
  // Rows without bars, as before the answer of a question, may be as low as the box needs.
  const float lowest = has_bars(picture) ? lowest_bar_row : 0;
  const float row_height = std::clamp(room / rows, lowest, 54.0f);

  // Without times, all bars have the same length.
  constexpr float each = 236;
  const float limit = picture.untimed ? each * static_cast<float>(picture.to - picture.from) : box.width;
  const Axis axis = {picture.from, picture.to, box.x + gutter, std::min(box.right(), box.x + gutter + limit)};
  const float used = row_height * rows + group_head * groups + group_gap * (groups - 1);
  const float bottom = box.y + used + 12;
  if (!picture.untimed) paint_axis(canvas, axis, bottom, used);
  const float note_y = std::min(bottom + 8, box.bottom() - canvas.line_height(Style::label) + 2);
  if (note_y >= box.y + used + 2)  // else it would be on the last row
    canvas.text({box.x, note_y}, Style::label, theme.second, picture.scale_note,
                picture.untimed ? box.width : gutter - 14);

  Touch touch;
  std::map<story::SliceId, Box> bars;  // boxes of the followed slices, for arrows
  float y = box.y;
  float gap_y = 0;  // the middle of the gap between the first two groups
  for (std::size_t g = 0; g < picture.groups.size(); ++g) {
    const story::RowGroup& group = picture.groups[g];
    if (g == 1) gap_y = y - group_gap / 2;
    double max_shown = 0;
    for (const story::Row& row : group.rows) max_shown = std::max(max_shown, row.shown);
    const float name_width = std::min(canvas.text_width(Style::heading, group.name), gutter * 3);
    canvas.fill({box.x, y + 4, name_width + 6, canvas.line_height(Style::heading)}, theme.ground);  // over the guides
    canvas.text({box.x, y + 4}, Style::heading,
                draw::mixed(theme.text, theme.ground, std::max(0.35f, static_cast<float>(max_shown))), group.name,
                gutter * 3);
    y += group_head;
    float inner = 0;
    for (const story::Row& row : group.rows) {
      constexpr float gap = 12;
      inner += gap / static_cast<float>(group.rows.size());
      const Placed placed = {{box.x, y, box.width, row_height}, picture.untimed ? inner : 0, g > 0};
      if (row.shown > 0) paint_bar_row(canvas, axis, row, placed);
      for (const Bar& bar : row.bars) {
        const Box place = placed.bar(axis, bar);
        if (bar.followed) bars.emplace(bar.slice, place);
        if (ui == nullptr || row.shown <= 0 || !ui->hovered(place)) continue;
        ui->point(place, std::string(row.name).append(" ").append(bar.label));
        ui->tooltip(picture.untimed ? bar.label
                                    : ui->word("bar", "tip",
                                               {{"label", bar.label},
                                                {"time", story::time_text(static_cast<double>(bar.end - bar.start))},
                                                {"start", story::time_text(static_cast<double>(bar.start))}}));
        if (bar.merged == 1 && ui->input().mouse_pressed) touch.follow = bar.slice;
        if (bar.rank && ui->input().mouse_pressed) touch.rank = bar.rank;
      }
      y += row_height;
    }
    y += group_gap;
  }

  std::vector<float> crossings;  // where arrows are in the middle of the first gap
  for (const story::Arrow& arrow : picture.arrows) {
    const auto from = bars.find(arrow.from), to = bars.find(arrow.to);
    if (from == bars.end() || to == bars.end()) continue;
    canvas.arrow_down({from->second.x + std::min(3.0f, from->second.width / 2), from->second.bottom()},
                      {to->second.x + std::min(3.0f, to->second.width / 2), to->second.y}, theme.now,
                      static_cast<float>(arrow.travelled));
    crossings.push_back((from->second.x + to->second.x) / 2 + 3);
    if (arrow.travelled >= 1) {
      // If the axis cuts the bar, the frame stays open at the cut.
      constexpr float open = 12;
      const Box& bar = to->second;
      const float left = bar.x <= axis.left + 0.5f ? open : 2, right = bar.right() >= axis.right - 0.5f ? open : 2;
      canvas.clip({axis.left - (left == open ? 0 : 4), bar.y - 4,
                   axis.right - axis.left + (left == open ? 0 : 4) + (right == open ? 0 : 4), bar.height + 8});
      canvas.outline({bar.x - left, bar.y - 2, bar.width + left + right, bar.height + 4}, theme.now, 6, 2);
      canvas.unclip();
    }
  }
  for (const story::Measure& measure : picture.measures) {
    if (measure.shown <= 0 || gap_y == 0) continue;
    const ImU32 colour = draw::mixed(theme.now, theme.ground, static_cast<float>(measure.shown));
    const float left = std::clamp(axis.x(static_cast<double>(measure.start)), axis.left, axis.right);
    const float right = std::clamp(axis.x(static_cast<double>(measure.end)), axis.left, axis.right);
    // The arrow already spans this distance, and a dimension line would cross it.
    if (!measure.along_arrow) draw::paint_dimension(canvas, {left, gap_y}, {right, gap_y}, colour);
    const float width = canvas.text_width(Style::label, measure.label);
    // Put the label on the line if it fits, else after or before it; beside an arrow that crosses it. The part of an
    // arrow above the middle of the gap is left of `crossing`.
    float x = width + 48 <= right - left         ? (left + right - width) / 2
              : right + 14 + width <= axis.right ? right + 14
                                                 : std::max(axis.left, left - 14 - width);
    for (const float crossing : crossings)
      if (crossing > x - 10 && crossing < x + width + 10)
        x = crossing + 14 + width <= axis.right ? crossing + 14 : std::max(axis.left, left - 14 - width);
    const Box place = {x, measure.along_arrow ? gap_y - 25 : gap_y - 12, width + 1, 24};
    if (!measure.along_arrow) canvas.fill({place.x - 6, place.y, place.width + 12, place.height}, theme.ground);
    canvas.text_in(place, Style::label, colour, measure.label);
  }
  if (now && !picture.untimed) {
    const auto at = static_cast<double>(*now);
    if (at >= axis.from && at <= axis.to) {
      canvas.line({axis.x(at), box.y}, {axis.x(at), bottom}, theme.now, 2);
      canvas.text({std::min(axis.x(at) + 6, axis.right - 90), box.y}, Style::mono_small, theme.now,
                  story::time_text(at));
    }
  }
  constexpr float legend_high = 18;
  if (legend_room > 0)
    paint_bar_legend(canvas, box.right(), std::min(bottom + axis_room + 6, box.bottom() - legend_high), picture);
  return touch;
}

}  // namespace warpwalk::pictures

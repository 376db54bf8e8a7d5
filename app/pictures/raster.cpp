// Units by cycles: a row for each unit, a cell for each cycle, and a line at the current cycle.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float raster_names_width = 118;  // of groups
constexpr float labels_width = 56;         // of rows
constexpr float raster_legend_height = 26;
constexpr float raster_axis_height = 22;
constexpr float group_gap = 12;
constexpr float lowest_raster_row = 2, largest_raster_row = 22;
constexpr float separate_cells = 6;  // cells at least this wide are drawn one by one

// The colours of a state: of a whole cell, of one too small for a pattern, and of the pattern.
struct StateColours {
  ImU32 whole, small, pattern;
};

StateColours colours_of(const story::RasterState& state, const draw::Theme& theme) {
  const bool quiet = state.tone == story::Tone::quiet || state.tone == story::Tone::plain;
  const float share = quiet ? 0.16f : state.hatched ? 0.2f : state.pale ? 0.3f : 0.8f;
  const ImU32 visible = mark_of(state.tone, theme, share);
  const bool patterned = state.hatched || state.pale;
  return {patterned ? draw::mixed(colour_of(state.tone, theme), theme.ground, share) : visible, visible,
          mark_of(state.tone, theme, 0.8f)};
}

void paint_state(Canvas& canvas, const Box& box, const story::RasterState& state, const StateColours& colours,
                 float rounding) {
  const draw::Theme& theme = canvas.theme();
  const bool small = box.width < 4 || box.height < 4;
  canvas.fill(box, small ? colours.small : colours.whole, rounding);
  if (small) return;
  // States whose colours look alike to some people differ in their pattern too.
  if (state.hatched) canvas.hatch(box, colours.pattern, state.tone == story::Tone::barrier);
  if (state.pale) canvas.outline(box, colours.pattern, rounding, 1);
  if (state.tone == story::Tone::host) {
    const float middle = box.y + box.height / 2;
    canvas.line({box.x, middle}, {box.right(), middle}, theme.ground, 2);
  }
}

// The places of the legend's swatches from the box' corner, below one another where a line is full.
std::vector<ImVec2> raster_legend_places(const Canvas& canvas, float width, const story::RasterPicture& picture) {
  std::vector<ImVec2> places;
  float x = 0, y = 0;
  for (const story::RasterState& state : picture.states) {
    const float entry = 18 + canvas.text_width(Style::label, state.word) + 20;
    if (x > 0 && x + entry > width) {
      x = 0;
      y += raster_legend_height - 4;
    }
    places.push_back({x, y});
    x += entry;
  }
  return places;
}

float height_of(const std::vector<ImVec2>& legend) {
  return (legend.empty() ? 0 : legend.back().y) + raster_legend_height;
}

// The distance of the axis' numbers: 1, 2 or 5 times a power of ten cycles, or a power of two.
std::int64_t tick_step(double cycles, double width, bool powers_of_two) {
  const double least = cycles * 90 / width;
  if (powers_of_two) return std::int64_t{1} << static_cast<int>(std::ceil(std::log2(std::max(least, 1.0))));
  for (std::int64_t decade = 1;; decade *= 10)
    for (const std::int64_t step : {decade, 2 * decade, 5 * decade})
      if (static_cast<double>(step) >= least) return step;
}

std::string raster_tip(const story::RasterPicture& picture, const story::RasterRow& row,
                       const story::RasterSpan& span) {
  std::string tip = fmt::format("{}, {} {} ... {}: {}", row.label, picture.word_cycle, story::with_thousands(span.from),
                                story::with_thousands(span.to - 1), picture.states[span.state].word);
  return span.tip.empty() ? tip : fmt::format("{}\n{}", tip, span.tip);
}

}  // namespace

namespace {

// The height with rows at least this high; `most` limits that of all rows.
float raster_height(const Canvas& canvas, float width, const story::RasterPicture& picture, float least_row,
                    float most) {
  bool notes = false;
  float rows = 0;
  for (const story::RasterGroup& group : picture.groups) {
    rows += static_cast<float>(std::max<std::size_t>(1, group.rows.size())) * static_cast<float>(group.weight);
    notes = notes || std::ranges::any_of(group.rows, [](const auto& row) { return !row.note.empty(); });
  }
  const float gaps = group_gap * (static_cast<float>(picture.groups.size()) - 1);
  const float all = std::max(std::min(rows * least_row, most),
                             rows * (notes ? canvas.line_height(Style::mono_small) - 1 : lowest_raster_row));
  return height_of(raster_legend_places(canvas, width, picture)) + all + gaps + raster_axis_height;
}

}  // namespace

float least_raster_height(const Canvas& canvas, float width, const story::RasterPicture& picture) {
  return raster_height(canvas, width, picture, lowest_raster_row, 0);
}

float whole_raster_height(const Canvas& canvas, float width, const story::RasterPicture& picture) {
  constexpr float plain_row = 12, most = 120;
  return raster_height(canvas, width, picture, plain_row, most);
}

Touch paint_raster(Canvas& canvas, draw::Ui* ui, const Box& box, const story::RasterPicture& picture) {
  Touch touch;
  const draw::Theme& theme = canvas.theme();
  const std::vector<ImVec2> legend = raster_legend_places(canvas, box.width, picture);
  std::vector<StateColours> colours;
  for (const story::RasterState& state : picture.states) colours.push_back(colours_of(state, theme));
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const float x = box.x + legend[i].x, y = box.y + legend[i].y;
    paint_state(canvas, {x, y + 4, 12, 12}, picture.states[i], colours[i], 2);
    canvas.text_in({x + 18, y, box.right() - x - 18, 20}, Style::label, theme.second, picture.states[i].word);
  }
  const float top = box.y + height_of(legend);
  const bool named = std::ranges::any_of(picture.groups, [](const auto& group) { return !group.name.empty(); });
  const float left = (named ? raster_names_width : 0) + labels_width;
  float weighted = 0, notes = 0;
  for (const story::RasterGroup& group : picture.groups) {
    weighted += static_cast<float>(std::max<std::size_t>(1, group.rows.size())) * static_cast<float>(group.weight);
    for (const story::RasterRow& row : group.rows)
      if (!row.note.empty()) notes = std::max(notes, canvas.text_width(Style::label, row.note) + 20);
  }
  const Box field = {box.x + left, top, box.width - left - notes - 8, box.bottom() - raster_axis_height - top};
  if (weighted <= 0 || picture.to <= picture.from || field.height < 10) return touch;
  const float gaps = group_gap * (static_cast<float>(picture.groups.size()) - 1);
  const float unit = (field.height - gaps) / weighted;
  const auto cycles = static_cast<double>(picture.to - picture.from);
  const float cell = field.width / static_cast<float>(cycles);
  const auto x_of = [&](std::int64_t cycle) {
    return field.x + static_cast<float>(static_cast<double>(cycle - picture.from) / cycles) * field.width;
  };
  const bool hand = ui != nullptr && ui->hovered(field);
  const float row_text = canvas.line_height(Style::mono_small) - 5;

  float y = field.y;
  float free = field.y - row_text;  // below the last label
  for (const story::RasterGroup& group : picture.groups) {
    const float row_height = std::clamp(unit * static_cast<float>(group.weight), 1.5f, largest_raster_row);
    const float gap = row_height >= 10 ? 2.0f : row_height >= 5 ? 1.0f : 0.0f;
    const bool labels = row_height >= row_text;
    const float height = row_height * static_cast<float>(std::max<std::size_t>(1, group.rows.size()));
    if (named) canvas.text({box.x, y}, Style::body, theme.text, group.name, raster_names_width - 8);
    if (named && height > 40)
      canvas.text({box.x, y + 22}, Style::label, theme.second, group.note, raster_names_width - 8);
    for (const story::RasterRow& row : group.rows) {
      const Box line = {field.x, y, field.width, row_height - gap};
      // In low rows only those that are followed have labels, as far as they do not meet.
      if (labels || (row.followed && y >= free)) {
        free = y + row_text;
        canvas.text_in({field.x - labels_width, y - 2, labels_width - 10, row_height + 2}, Style::mono_small,
                       row.followed ? theme.now : theme.second, row.label, draw::Align::right);
      }
      if (labels && !row.note.empty())
        canvas.text_in({field.right() + 14, y - 2, notes, row_height + 2}, Style::label,
                       row.followed ? theme.now : theme.second, row.note);
      for (const story::RasterSpan& span : row.spans) {
        const story::RasterState& state = picture.states[span.state];
        if (cell >= separate_cells && !state.hatched && state.tone != story::Tone::host) {
          for (std::int64_t cycle = span.from; cycle < span.to; ++cycle)
            paint_state(canvas, {x_of(cycle), y, cell - 1, line.height}, state, colours[span.state],
                        row_height >= 10 ? 2.0f : 0.0f);
        } else {
          const float width = x_of(span.to) - x_of(span.from);
          paint_state(canvas, {x_of(span.from), y, width - (width >= 4 ? 1.0f : 0.0f), line.height}, state,
                      colours[span.state], 0);
        }
      }
      if (row.followed) canvas.outline({line.x - 3, line.y - 2, line.width + 6, line.height + 4}, theme.now, 4, 1.5f);
      const Box target = {field.x - labels_width, y, field.width + labels_width, row_height};
      if (ui != nullptr && ui->hovered(target)) {
        const auto at = picture.from + static_cast<std::int64_t>((ui->input().mouse.x - field.x) / cell);
        for (const story::RasterSpan& span : row.spans)
          if (hand && at >= span.from && at < span.to) {
            const std::string tip = raster_tip(picture, row, span);
            ui->point(target, tip);
            ui->tooltip(tip);
          }
        if (!picture.control.empty() && ui->input().mouse_pressed) touch.set.emplace_back(picture.control, row.value);
        if (!picture.span_control.empty() && ui->input().mouse_pressed) {
          std::optional<double> value;
          for (const story::RasterSpan& span : row.spans)
            if (hand && at >= span.from && at < span.to) value = span.value;
          touch.set.emplace_back(picture.span_control, value);
        }
        if (row.cycle && ui->input().mouse_pressed) touch.cycle = row.cycle;
      }
      y += row_height;
    }
    if (group.rows.empty()) y += row_height;
    y += group_gap;
  }
  const float bottom = y - group_gap;
  canvas.text({field.x - 10, bottom + 5}, Style::mono_small, theme.second,
              picture.word_axis.empty() ? picture.word_rows : picture.word_axis, 1e6f, draw::Align::right);
  const std::string now =
      picture.now ? fmt::format("{} {}", picture.word_cycle, story::with_thousands(*picture.now)) : "";
  const float half = canvas.text_width(Style::mono_small, now) / 2;
  const float now_x =
      picture.now ? std::clamp(x_of(*picture.now), field.x + half, std::max(field.x + half, field.right() - half)) : 0;
  const auto unit_cycles = static_cast<double>(picture.axis_unit);
  std::int64_t step = picture.axis_unit * tick_step(cycles / unit_cycles, field.width, picture.powers_of_two);
  // In a narrow field, rather two numbers close together than none.
  if (picture.to - picture.from <= step)
    step = picture.axis_unit * tick_step(cycles / unit_cycles, 2 * field.width, picture.powers_of_two);
  for (std::int64_t tick = (picture.from + step - 1) / step * step; tick < picture.to; tick += step) {
    const std::string text = story::with_thousands(tick / picture.axis_unit);
    const float near = half + canvas.text_width(Style::mono_small, text) / 2 + 8;
    const bool hidden = x_of(tick) < field.x + 24 || (picture.now && std::abs(x_of(tick) - now_x) < near);
    canvas.line({x_of(tick), bottom}, {x_of(tick), bottom + 4}, theme.line);
    if (!hidden)
      canvas.text({x_of(tick), bottom + 5}, Style::mono_small, theme.second, text, 1e6f, draw::Align::centre);
  }
  if (picture.now && *picture.now >= picture.from && *picture.now <= picture.to) {
    const float x = x_of(*picture.now);
    canvas.line({x, field.y - 4}, {x, bottom + 4}, theme.now, 2);
    canvas.text({now_x, bottom + 5}, Style::mono_small, theme.now, now, 1e6f, draw::Align::centre);
  }
  if (picture.picks_cycle && ui != nullptr &&
      ui->dragged("raster", {field.x, field.y, field.width, bottom - field.y})) {
    touch.cycle = std::clamp(picture.from + static_cast<std::int64_t>((ui->input().mouse.x - field.x) / cell),
                             picture.from, picture.to - 1);
    if (!picture.keeps.empty()) touch.set.emplace_back(picture.keeps, static_cast<double>(picture.from));
  }
  return touch;
}

}  // namespace warpwalk::pictures

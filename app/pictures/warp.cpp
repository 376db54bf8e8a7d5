// One instruction on 32 lanes: half of the lanes above and half below the memory, with the ways between them.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Point;
using draw::Style;

constexpr std::size_t warp_size = 32;
constexpr float lane_gap = 4, line_room = 22, warp_name_room = 18, strip_gap = 6;
constexpr float least_middle = 64;
constexpr float highest_word = 30;

/// Where the lanes stand, and the room between them.
struct WarpLayout {
  std::size_t per_row = 16;
  std::vector<const story::WarpValue*> values;  ///< that every lane shows; the others have no room
  bool whole = true;                            ///< all are shown
  float head = 0;                               ///< width of the values' names
  float card_width = 0, card_height = 0;
  float line = 0;
  Box box, middle;

  bool above(std::size_t lane) const { return lane < warp_size / 2; }
  Box card(std::size_t lane) const {
    const std::size_t half = lane % (warp_size / 2);
    const auto column = static_cast<float>(half % per_row), row = static_cast<float>(half / per_row);
    const float top = above(lane) ? box.y : middle.bottom();
    return {box.x + head + column * card_width, top + row * (card_height + lane_gap), card_width - lane_gap,
            card_height};
  }
  float lanes_height() const { return static_cast<float>(warp_size / per_row) * (card_height + lane_gap); }
};

float widest(const Canvas& canvas, const story::WarpValue& value) {
  float width = 0;
  for (const std::string& text : value.lanes) width = std::max(width, canvas.text_width(Style::mono_small, text));
  return width;
}

// The sizes with so many lanes per row, and the values that have room then.
WarpLayout sizes_of(const Canvas& canvas, float width, const story::WarpPicture& picture, std::size_t per_row,
                    bool values) {
  WarpLayout layout;
  layout.per_row = per_row;
  layout.line = canvas.line_height(Style::mono_small) + 1;
  if (values)
    for (const story::WarpValue& value : picture.values)
      layout.head = std::max(layout.head, canvas.text_width(Style::mono_small, value.name) + 10);
  layout.card_width = (width - layout.head + lane_gap) / static_cast<float>(per_row);
  for (const story::WarpValue& value : picture.values)
    if (values && widest(canvas, value) + 8 + lane_gap <= layout.card_width) layout.values.push_back(&value);
  if (layout.values.empty()) layout.head = 0;
  layout.card_width = (width - layout.head + lane_gap) / static_cast<float>(per_row);
  layout.whole = layout.values.size() == picture.values.size();
  layout.card_height = layout.line * static_cast<float>(1 + layout.values.size()) + 6;
  return layout;
}

float below_of(const Canvas& canvas, float width, const story::WarpPicture& picture, bool whole) {
  const float legend = legend_height(canvas, width, picture.legend);
  return (legend > 0 ? legend + 6 : 0) + (picture.note.empty() ? 0 : line_room) + (whole ? 0 : line_room);
}

// Sixteen lanes per row with the values that have room; eight if none has. Without height for values, the numbers of
// the lanes alone.
WarpLayout layout_of(const Canvas& canvas, const Box& box, const story::WarpPicture& picture) {
  const auto fits = [&](const WarpLayout& layout) {
    return !layout.values.empty() &&
           layout.lanes_height() + least_middle + below_of(canvas, box.width, picture, layout.whole) <= box.height;
  };
  WarpLayout layout = sizes_of(canvas, box.width, picture, 16, true);
  if (!fits(layout)) layout = sizes_of(canvas, box.width, picture, 8, true);
  if (!fits(layout)) layout = sizes_of(canvas, box.width, picture, 16, false);
  layout.box = box;
  const float half = layout.lanes_height() / 2;
  const float room = box.height - 2 * half - below_of(canvas, box.width, picture, layout.whole);
  layout.middle = {box.x + layout.head, box.y + half, box.width - layout.head, std::clamp(room, 20.0f, 260.0f)};
  return layout;
}

/// Where the words of memory are between the lanes.
struct Strips {
  std::vector<std::vector<Box>> words;
  std::vector<Point> names;
  bool named = false;
};

Strips strips_in(const Box& middle, const story::WarpPicture& picture) {
  Strips places;
  const std::size_t count = picture.strips.size();
  if (count == 0) return places;
  std::size_t longest = 1;
  for (const story::WarpStrip& strip : picture.strips) longest = std::max(longest, strip.words.size());
  // Lines of memory stand side by side; wavefronts, whose words have a bank each, below one another.
  const bool grouped = picture.strips.front().group > 1;
  const std::size_t columns = !grouped ? 1 : count <= 4 ? count : count <= 8 ? 4 : 8;
  const std::size_t rows = (count + columns - 1) / columns;
  const float margin = std::min(26.0f, middle.height * 0.2f);  // for the ways of the lanes
  const float high = (middle.height - 2 * margin) / static_cast<float>(rows);
  places.named = high >= warp_name_room + 14;
  for (const story::WarpStrip& strip : picture.strips) places.named = places.named && !strip.name.empty();
  const float head = places.named ? warp_name_room : 0;
  const float tall = std::clamp(high - head - std::min(strip_gap, high * 0.25f), 2.0f, highest_word);
  const float used = static_cast<float>(rows) * (tall + head) + static_cast<float>(rows - 1) * strip_gap;
  const float top = middle.y + std::max(margin, (middle.height - used) / 2);
  const float wide = (middle.width - 20 * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  for (std::size_t s = 0; s < count; ++s) {
    const story::WarpStrip& strip = picture.strips[s];
    const float x = middle.x + static_cast<float>(s % columns) * (wide + 20);
    const float y = top + static_cast<float>(s / columns) * (tall + head + std::min(strip_gap, high * 0.25f));
    places.names.push_back({x, y});
    const float word = wide / static_cast<float>(longest);
    const float gap = word >= 6 ? 1.5f : word >= 3 ? 0.5f : 0.0f;
    std::vector<Box>& boxes = places.words.emplace_back();
    for (std::size_t w = 0; w < strip.words.size(); ++w) {
      // The last word of a sector leaves a wider gap.
      const float end = strip.group > 1 && w % strip.group == strip.group - 1 ? std::min(4.0f, 0.4f * word) : gap;
      boxes.push_back({x + static_cast<float>(w) * word, y + head, word - end, tall});
    }
  }
  return places;
}

Point middle_of(const Box& box) { return {box.x + box.width / 2, box.y + box.height / 2}; }
// Of the instruction that all lanes run.
float bar_height(const Box& middle) { return std::min(44.0f, middle.height * 0.5f); }
Point on_way(Point from, Point to, float part) {
  return {from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
}

// The way of a lane: drawn as far as the address has come, then a dot for what comes back.
void paint_way(Canvas& canvas, Point lane, Point place, ImU32 colour, float thickness,
               const story::WarpPicture& picture) {
  const auto out = static_cast<float>(picture.out), back = static_cast<float>(picture.back);
  canvas.line(lane, on_way(lane, place, out), colour, thickness);
  const float radius = thickness > 1 ? 4.5f : 2.5f;
  if (out > 0 && out < 1) canvas.dot(on_way(lane, place, out), radius, colour);
  if (out >= 1 && back > 0 && back < 1 && !picture.writes) canvas.dot(on_way(place, lane, back), radius, colour);
}

void paint_card(Canvas& canvas, const WarpLayout& layout, std::size_t number, const story::WarpPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const story::WarpLane& lane = picture.lanes[number];
  const Box card = layout.card(number);
  canvas.fill(card, lane.active ? theme.panel : theme.ground, 3);
  canvas.outline(card, lane.followed ? theme.now : theme.line, 3, lane.followed ? 2.0f : 1.0f);
  if (!lane.active) canvas.hatch(card, theme.line);
  float y = card.y + 3;
  const bool marked = lane.tone != story::Tone::quiet && picture.back >= 1;
  if (marked) paint_tone(canvas, {card.x + 2, y, card.width - 4, layout.line}, lane.tone, 2);
  const ImU32 head_colour = marked          ? text_on(lane.tone, theme)
                            : lane.followed ? theme.now
                            : lane.active   ? theme.done
                                            : theme.second;
  canvas.text_in({card.x + 4, y, card.width - 8, layout.line}, Style::mono_small, head_colour, std::to_string(number),
                 layout.values.empty() ? draw::Align::centre : draw::Align::left);
  for (const story::WarpValue* const value : layout.values) {
    y += layout.line;
    if (value->result && picture.back < 1) continue;
    const ImU32 colour = !lane.active ? theme.second : lane.followed ? theme.text : colour_of(value->tone, theme);
    canvas.text_in({card.x + 4, y, card.width - 8, layout.line}, Style::mono_small, colour, value->lanes[number],
                   draw::Align::right);
  }
}

void paint_names(Canvas& canvas, const WarpLayout& layout) {
  for (std::size_t lane = 0; lane < warp_size; lane += layout.per_row) {
    float y = layout.card(lane).y + 3;
    for (const story::WarpValue* const value : layout.values) {
      y += layout.line;
      canvas.text_in({layout.box.x, y, layout.head - 6, layout.line}, Style::mono_small, canvas.theme().second,
                     value->name);
    }
  }
}

void paint_strips(Canvas& canvas, const Strips& places, const story::WarpPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  bool labels = true;
  for (std::size_t s = 0; s < places.words.size(); ++s)
    for (std::size_t w = 0; w < places.words[s].size(); ++w)
      labels = labels && places.words[s][w].height >= canvas.line_height(Style::mono_small) &&
               canvas.text_width(Style::mono_small, picture.strips[s].words[w].label) + 4 <= places.words[s][w].width;
  for (std::size_t s = 0; s < places.words.size(); ++s) {
    for (std::size_t w = 0; w < places.words[s].size(); ++w) {
      const story::WarpWord& word = picture.strips[s].words[w];
      const story::Tone tone = picture.out < 1 ? story::Tone::quiet : word.tone;
      paint_tone(canvas, places.words[s][w], tone, 2);
      if (labels)
        canvas.text_in(places.words[s][w], Style::mono_small, text_on(tone, theme), word.label, draw::Align::centre);
    }
  }
}

// The ways of the lanes pass behind the names.
void paint_strip_names(Canvas& canvas, const Strips& places, const story::WarpPicture& picture) {
  if (!places.named) return;
  const draw::Theme& theme = canvas.theme();
  for (std::size_t s = 0; s < places.words.size(); ++s) {
    const Point at = places.names[s];
    const float room = places.words[s].back().right() - at.x;
    const float width = std::min(room, canvas.text_width(Style::label, picture.strips[s].name));
    canvas.fill({at.x - 2, at.y, width + 6, warp_name_room - 2}, theme.ground);
    canvas.text(at, Style::label, theme.second, picture.strips[s].name, room);
  }
}

void paint_ways(Canvas& canvas, const WarpLayout& layout, const Strips& places, const story::WarpPicture& picture,
                bool followed) {
  const draw::Theme& theme = canvas.theme();
  for (std::size_t number = 0; number < warp_size; ++number) {
    const story::WarpLane& lane = picture.lanes[number];
    if (lane.followed != followed || !lane.active) continue;
    const Box card = layout.card(number);
    const bool above = layout.above(number);
    const Point from = {card.x + card.width / 2, above ? card.bottom() : card.y};
    const float thickness = followed ? 2.0f : 1.0f;
    if (picture.strips.empty()) {
      const float bar = bar_height(layout.middle) / 2, centre = middle_of(layout.middle).y;
      const Point to = {from.x, above ? centre - bar : centre + bar};
      const ImU32 colour = followed ? theme.now : draw::mixed(theme.done, theme.ground, 0.6f);
      canvas.line(to, on_way(to, from, static_cast<float>(picture.out)), colour, thickness);
      continue;
    }
    const ImU32 colour = followed ? theme.now : draw::mixed(theme.memory, theme.ground, 0.5f);
    for (std::size_t w = 0; w < lane.words.size(); ++w) {
      const auto [strip, word] = lane.words[w];
      // Of neighbouring words, the first and the last.
      const auto neighbours = [&](std::size_t other) {
        return other < lane.words.size() && lane.words[other].first == strip;
      };
      if (w > 0 && neighbours(w - 1) && neighbours(w + 1)) continue;
      const Box& place = places.words[strip][word];
      paint_way(canvas, from, {middle_of(place).x, above ? place.y : place.bottom()}, colour, thickness, picture);
    }
  }
}

// What all lanes do, between them.
void paint_instruction(Canvas& canvas, const WarpLayout& layout, const story::WarpPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const Box& middle = layout.middle;
  const float high = bar_height(middle);
  const Box bar = {middle.x, middle_of(middle).y - high / 2, middle.width - lane_gap, high};
  canvas.fill(bar, draw::mixed(theme.done, theme.ground, 0.22f), 4);
  canvas.text_in(bar, Style::mono, theme.text, picture.instruction, draw::Align::centre);
}

}  // namespace

float whole_warp_height(const Canvas& canvas, float width, const story::WarpPicture& picture) {
  WarpLayout layout = sizes_of(canvas, width, picture, 16, true);
  if (layout.values.empty()) layout = sizes_of(canvas, width, picture, 8, true);
  // Room for the ways, and for the strips between them.
  const auto strips = static_cast<float>(std::min<std::size_t>(picture.strips.size(), 4));
  const float middle = picture.strips.empty() ? least_middle : 66 + 12 * strips;
  return layout.lanes_height() + middle + below_of(canvas, width, picture, layout.whole);
}

Touch paint_warp(Canvas& canvas, draw::Ui* ui, const Box& box, const story::WarpPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const WarpLayout layout = layout_of(canvas, box, picture);
  const Strips places = strips_in(layout.middle, picture);
  paint_names(canvas, layout);
  if (picture.strips.empty() && !picture.instruction.empty()) paint_instruction(canvas, layout, picture);
  paint_strips(canvas, places, picture);
  paint_ways(canvas, layout, places, picture, false);
  paint_ways(canvas, layout, places, picture, true);
  paint_strip_names(canvas, places, picture);
  for (std::size_t lane = 0; lane < warp_size; ++lane) paint_card(canvas, layout, lane, picture);
  float y = layout.middle.bottom() + layout.lanes_height() / 2 + 4;
  if (!layout.whole) {
    const auto followed = std::ranges::find(picture.lanes, true, &story::WarpLane::followed);
    const auto shown = followed == picture.lanes.end() ? 0 : followed - picture.lanes.begin();
    canvas.text({box.x, y}, Style::label, theme.text, picture.tip_of(static_cast<std::size_t>(shown)), box.width);
    y += line_room;
  }
  if (!picture.legend.empty()) {
    paint_legend(canvas, {box.x, y, box.width, 0}, picture.legend);
    y += legend_height(canvas, box.width, picture.legend) + 2;
  }
  if (!picture.note.empty()) canvas.text({box.x, y}, Style::label, theme.second, picture.note, box.width);

  if (ui == nullptr) return {};
  const auto point = [&](const Box& place, const std::string& tip) {
    if (tip.empty() || !ui->hovered(place)) return;
    ui->point(place, tip);
    ui->tooltip(tip);
  };
  for (std::size_t lane = 0; lane < warp_size; ++lane) point(layout.card(lane), picture.tip_of(lane));
  for (std::size_t s = 0; s < places.words.size(); ++s)
    for (std::size_t w = 0; w < places.words[s].size(); ++w) point(places.words[s][w], picture.strips[s].words[w].tip);
  return {};
}

}  // namespace warpwalk::pictures

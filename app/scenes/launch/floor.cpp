// The grid on the left, the SMs with their block slots on the right, and the blocks that move from one to the other.
#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "app/scenes/launch/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Point;
using draw::Style;
using story::LaunchPicture;
using story::PlacedBlock;

constexpr float floor_head_room = 26;
constexpr float state_room = 26;
constexpr float note_room = 20;       // height of the note with the number of blocks per square
constexpr std::size_t in_flight = 6;  // most blocks between the grid and the SMs at once

float part_gap(float pitch) { return pitch >= 12 ? 3 : pitch >= 6 ? 2 : pitch >= 3.5f ? 1 : 0; }

/// Cells of equal size in rows and columns.
struct Cells {
  Box area;
  int columns = 1;
  float pitch_x = 1, pitch_y = 1;
  Box at(std::size_t i) const {
    const auto column = static_cast<float>(i % static_cast<std::size_t>(columns));
    const auto row = static_cast<float>(i / static_cast<std::size_t>(columns));
    const float gap = part_gap(std::min(pitch_x, pitch_y));
    return {area.x + column * pitch_x, area.y + row * pitch_y, pitch_x - gap, pitch_y - gap};
  }
};

// Returns the largest squares that fit the area, with `columns` per row. 0 columns: the number that allows the largest.
Cells squares(const Box& area, std::size_t count, int columns, float largest) {
  Cells best{area, 1, 0, 0};
  const auto n = static_cast<float>(std::max<std::size_t>(count, 1));
  const auto fit = [&](int c) {
    const float pitch =
        std::min({area.width / static_cast<float>(c), area.height / std::ceil(n / static_cast<float>(c)), largest});
    if (pitch >= best.pitch_x) best = {area, c, pitch, pitch};
  };
  if (columns > 0)
    fit(columns);
  else
    for (int c = 1; c <= static_cast<int>(n); ++c) fit(c);
  return best;
}

/// The position of each SM. A group takes one or more rows.
struct SmPlaces {
  float label_width = 0;
  bool numbers = false;
  std::unordered_map<std::uint32_t, Box> box;
  std::vector<std::pair<Box, const story::SmGroup*>> labels;
  std::size_t slots = 0;

  Cells slots_of(const Box& sm) const {
    const float top = numbers ? 20 : 4;
    const Box inner = {sm.x + 4, sm.y + top, sm.width - 7, sm.height - top - 3};
    Cells cells = squares(inner, slots, 0, 72);
    // A few large slots are centred in their SM; many small ones start at its corner.
    const auto columns = static_cast<std::size_t>(cells.columns);
    const auto rows = static_cast<float>((slots + columns - 1) / columns);
    if (cells.pitch_x >= 36) {
      cells.area.x += (inner.width - cells.pitch_x * static_cast<float>(columns)) / 2;
      cells.area.y += (inner.height - cells.pitch_y * rows) / 2;
    }
    return cells;
  }
};

SmPlaces place_sms(const Canvas& canvas, const Box& area, const LaunchPicture& picture) {
  SmPlaces places;
  places.slots = picture.slots_per_sm;
  std::size_t widest = 1;
  for (const story::SmGroup& group : picture.groups) {
    widest = std::max(widest, group.sms.size());
    if (!group.label.empty())
      places.label_width = std::max(places.label_width, canvas.text_width(Style::label, group.label) + 12);
  }
  struct Fit {
    int columns = 1;
    float width = 0, height = 0;
  } best;
  const float width = area.width - places.label_width;
  float maximum = 0;
  for (int c = 1; c <= static_cast<int>(widest); ++c) {
    std::size_t rows = 0;
    for (const story::SmGroup& group : picture.groups)
      rows += (group.sms.size() + static_cast<std::size_t>(c) - 1) / static_cast<std::size_t>(c);
    const Fit fit = {c, std::min(width / static_cast<float>(c), 320.0f),
                     std::min(area.height / static_cast<float>(std::max<std::size_t>(rows, 1)), 200.0f)};
    // Prefer one row per group, even if the SMs are somewhat smaller.
    const float good = std::min(fit.width, 1.5f * fit.height) * (rows > picture.groups.size() ? 0.75f : 1);
    if (good <= maximum) continue;
    maximum = good;
    best = fit;
  }
  const int columns = best.columns;
  const float w = best.width, h = best.height;
  const float gap = w >= 20 ? 4 : 2;
  places.numbers = w - gap >= canvas.text_width(Style::mono_small, "000") + 5 && h - gap >= 32;
  float y = area.y;
  for (const story::SmGroup& group : picture.groups) {
    if (!group.label.empty()) places.labels.push_back({{area.x, y, places.label_width, h - gap}, &group});
    for (std::size_t i = 0; i < group.sms.size(); ++i) {
      const std::size_t column = i % static_cast<std::size_t>(columns);
      if (i > 0 && column == 0) y += h;
      places.box[group.sms[i]] = {area.x + places.label_width + static_cast<float>(column) * w, y, w - gap, h - gap};
    }
    y += h;
  }
  return places;
}

Point middle(const Box& box) { return {box.x + box.width / 2, box.y + box.height / 2}; }

Point flight(Point a, Point b, float t) {
  const float dx = b.x - a.x;
  const Point c = {a.x + 0.4f * dx, a.y - 28}, d = {b.x - 0.4f * dx, b.y + 28};
  const float s = 1 - t;
  return {s * s * s * a.x + 3 * s * s * t * c.x + 3 * s * t * t * d.x + t * t * t * b.x,
          s * s * s * a.y + 3 * s * s * t * c.y + 3 * s * t * t * d.y + t * t * t * b.y};
}

// Draws a dashed path from the grid to the slot. The part that the block has travelled is bright.
void paint_flight(Canvas& canvas, Point from, Point to, float travelled) {
  const ImU32 colour = canvas.theme().now;
  constexpr int steps = 160;
  float way = 0;
  Point last = from;
  for (int i = 1; i <= steps; ++i) {
    const float t = static_cast<float>(i) / steps;
    const Point next = flight(from, to, t);
    if (std::fmod(way, 11.0f) < 6)
      canvas.line(last, next, t <= travelled ? colour : draw::with_alpha(colour, 0.25f), 1.75f);
    way += std::hypot(next.x - last.x, next.y - last.y);
    last = next;
  }
  if (travelled > 0 && travelled < 1) canvas.dot(flight(from, to, travelled), 6, colour);
}

// Draws the way of the followed block, and once more the labels that it crosses, so that they stay readable.
void paint_followed_way(Canvas& canvas, const SmPlaces& places, const LaunchPicture& picture, Point from, Point to) {
  const draw::Theme& theme = canvas.theme();
  paint_flight(canvas, from, to, static_cast<float>(picture.followed_way));
  const auto repeat = [&](Point at, Style style, const std::string& text, ImU32 ground) {
    const Box box = {at.x - 2, at.y, canvas.text_width(style, text) + 4, canvas.line_height(style)};
    bool crossed = false;
    for (int i = 0; i <= 160 && !crossed; ++i) {
      const Point p = flight(from, to, static_cast<float>(i) / 160);
      crossed = p.x >= box.x - 3 && p.x <= box.right() + 3 && p.y >= box.y - 2 && p.y <= box.bottom() + 2;
    }
    if (!crossed) return;
    canvas.fill(box, ground);
    canvas.text(at, style, theme.second, text);
  };
  for (const auto& [place, group] : places.labels)
    repeat({place.x, place.y + (place.height - canvas.line_height(Style::label)) / 2}, Style::label, group->label,
           theme.ground);
  if (!places.numbers) return;
  for (const auto& [sm, place] : places.box)
    repeat({place.x + 6, place.y + 3}, Style::mono_small, std::to_string(sm), theme.panel);
}

float grid_width_in(const Box& box, const LaunchPicture& picture) {
  return picture.groups.empty() ? box.width : std::clamp(box.width * 0.25f, 150.0f, 280.0f);
}

// The part of the box that shows the SMs.
Box sms_in(const Box& box, const LaunchPicture& picture) {
  const float left = box.x + grid_width_in(box, picture) + 36;
  return {left, box.y, box.right() - left, box.height};
}

SmPlaces places_in(const Canvas& canvas, const Box& right, const LaunchPicture& picture) {
  return place_sms(canvas, {right.x, right.y + floor_head_room, right.width, right.height - floor_head_room}, picture);
}

}  // namespace

std::vector<Box> launch_slots(const Canvas& canvas, const Box& box, const LaunchPicture& picture) {
  std::vector<Box> slots;
  if (picture.groups.empty()) return slots;
  const SmPlaces places = places_in(canvas, sms_in(box, picture), picture);
  for (const PlacedBlock& block : picture.placed)
    if (block.turn == 0) slots.push_back(places.slots_of(places.box.at(block.sm)).at(block.slot));
  return slots;
}

pictures::Touch paint_launch_floor(Canvas& canvas, draw::Ui* ui, const Box& box, const LaunchPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  pictures::Touch touch;
  const bool alone = picture.groups.empty();
  const float grid_width = grid_width_in(box, picture);
  const bool two_lines = !picture.grid.note.empty() && !picture.grid.state.empty();
  const Box grid_box = {box.x, box.y + floor_head_room, grid_width,
                        box.height - floor_head_room - state_room - (two_lines ? note_room : 0)};
  const auto cell_count =
      static_cast<std::size_t>((picture.grid.blocks + picture.grid.per_cell - 1) / picture.grid.per_cell);
  const Cells grid = squares(grid_box, cell_count, picture.grid.columns, 26);
  canvas.text({box.x, box.y}, Style::label, theme.second, picture.grid.head, grid_width);

  // Collect the blocks of the first turn, in the order in which they are placed, and the followed block.
  std::vector<const PlacedBlock*> first;
  const PlacedBlock* followed = nullptr;
  for (const PlacedBlock& block : picture.placed) {
    if (block.turn == 0) first.push_back(&block);
    if (block.block == picture.followed) followed = &block;
  }
  const std::size_t landed = std::min(picture.landed, first.size());
  const auto cell_of = [&](std::uint64_t block) {
    return std::min(cell_count - 1, static_cast<std::size_t>(block / picture.grid.per_cell));
  };

  std::vector<float> gone(cell_count, 0);  // per cell: share of its blocks that have left
  for (std::size_t i = 0; i < landed; ++i) gone[cell_of(first[i]->block)] += 1;
  const auto shown_cells = static_cast<std::size_t>(picture.grid.shown * static_cast<double>(cell_count) + 0.5);
  std::optional<std::size_t> pointed_cell;
  const ImU32 waits = draw::mixed(theme.host, theme.ground, 0.4f), left = draw::mixed(theme.done, theme.ground, 0.5f);
  const bool any_followed = followed != nullptr || picture.followed_way > 0;
  for (std::size_t c = 0; c < shown_cells; ++c) {
    const Box cell = grid.at(c);
    const float share = std::min(1.0f, gone[c] / static_cast<float>(picture.grid.per_cell));
    const bool now = any_followed && c == cell_of(picture.followed);
    canvas.fill(cell, now ? theme.now : draw::mixed(left, waits, share), grid.pitch_x >= 16 ? 3 : 0);
    if (picture.grid.per_cell == 1 && now) paint_block_number(canvas, cell, c, c);
    if (ui != nullptr && ui->hovered(cell)) pointed_cell = c;
  }
  const auto columns = static_cast<std::size_t>(grid.columns);
  const float grid_bottom = grid.area.y + grid.pitch_y * static_cast<float>((cell_count + columns - 1) / columns);
  const std::string& below = picture.grid.state.empty() ? picture.grid.note : picture.grid.state;
  canvas.text({box.x, grid_bottom + 6}, Style::label, theme.second, below, grid_width + 20);
  if (two_lines)
    canvas.text({box.x, grid_bottom + 6 + note_room}, Style::label, theme.second, picture.grid.note, grid_width + 20);

  if (alone) return touch;
  const Box right = sms_in(box, picture);
  const SmPlaces places = places_in(canvas, right, picture);
  std::unordered_map<std::uint32_t, const PlacedBlock*> in_slot;  // by SM and slot
  const auto key = [&](std::uint32_t sm, std::uint32_t slot) { return sm * (picture.slots_per_sm + 1) + slot; };
  for (std::size_t i = 0; i < landed; ++i) in_slot[key(first[i]->sm, first[i]->slot)] = first[i];
  const bool all_landed = landed == first.size() && !first.empty();
  const auto is_idle = [&](std::uint32_t sm) { return all_landed && !in_slot.contains(key(sm, 0)); };
  const bool any_idle = std::ranges::any_of(
      picture.groups, [&](const story::SmGroup& group) { return std::ranges::any_of(group.sms, is_idle); });
  paint_placement_head(canvas, ui, right, picture, any_idle ? " · " + picture.word_idle : "");
  for (const auto& [place, group] : places.labels) {
    canvas.text_in(place, Style::label, theme.second, group->label);
    if (ui == nullptr) continue;
    ui->point(place, group->note);
    if (ui->hovered(place)) ui->tooltip(group->note);
  }

  std::string tooltip;
  std::uint64_t last_number = 0;  // the largest number: all slots show numbers, or none does
  for (const PlacedBlock* block : first) last_number = std::max(last_number, block->block);
  for (const story::SmGroup& group : picture.groups)
    for (const std::uint32_t sm : group.sms) {
      const Box place = places.box.at(sm);
      const bool followed_here =
          followed != nullptr && followed->sm == sm && followed->turn == 0 && picture.followed_way >= 1;
      const bool idle = is_idle(sm);
      canvas.fill(place, theme.panel, 4);
      // Hatch an idle SM, below its number.
      const float top = places.numbers ? 19 : 0;
      if (idle)
        canvas.hatch({place.x, place.y + top, place.width, place.height - top},
                     draw::mixed(theme.host, theme.panel, 0.6f));
      canvas.outline(place, followed_here ? theme.now : theme.line, 4, followed_here ? 2 : theme.hairline);
      if (places.numbers)
        canvas.text({place.x + 6, place.y + 3}, Style::mono_small, followed_here ? theme.text : theme.second,
                    std::to_string(sm), place.width - 6);
      if (ui != nullptr && ui->hovered(place)) tooltip = fmt::format("{} {}", picture.word_sm, sm);
      const Cells slots = places.slots_of(place);
      for (std::uint32_t slot = 0; slot < picture.slots_per_sm; ++slot) {
        const Box cell = slots.at(slot);
        const auto found = in_slot.find(key(sm, slot));
        const PlacedBlock* block = found == in_slot.end() ? nullptr : found->second;
        const bool own = block != nullptr && block == followed;
        const float corner = cell.width >= 14 ? 3 : 0;
        if (block == nullptr || (own && picture.followed_way < 1)) {
          if (!idle) canvas.fill(cell, draw::mixed(theme.line, theme.panel, 0.7f), corner);
          continue;
        }
        canvas.fill(cell, own ? theme.now : theme.done, corner);
        paint_block_number(canvas, cell, block->block, last_number);
        if (ui == nullptr || !ui->hovered(place)) continue;
        if (ui->hovered(cell))
          tooltip = block_text(picture, block->block, block);
        else if (!ui->hovered(cell) && tooltip.size() < 120 && tooltip.find('[') == std::string::npos)
          tooltip += fmt::format(" · {} {}", picture.word_block, block->block);
        // A click on an SM follows its first block; a click on a slot follows the block in that slot.
        if (ui->input().mouse_pressed && (ui->hovered(cell) || slot == 0)) {
          touch.set.clear();
          touch.set.emplace_back("launch.follow", static_cast<double>(block->block));
        }
      }
    }
  if (picture.sms_shown < 1)
    canvas.fill({right.x - 2, right.y - 2, right.width + 6, right.height + 6},
                draw::with_alpha(theme.ground, 1 - static_cast<float>(picture.sms_shown)));

  const auto slot_box = [&](const PlacedBlock& block) {
    return places.slots_of(places.box.at(block.sm)).at(block.slot);
  };
  for (std::size_t k = 0; k < in_flight && landed > 0 && landed + k < first.size(); ++k) {
    const PlacedBlock& block = *first[landed + k];
    const float t = 1 - static_cast<float>(k + 1) / static_cast<float>(in_flight + 1);
    canvas.dot(flight(middle(grid.at(cell_of(block.block))), middle(slot_box(block)), t), 3.5f, theme.done);
  }
  if (followed != nullptr && followed->turn == 0 && picture.followed_way > 0)
    paint_followed_way(canvas, places, picture, middle(grid.at(cell_of(picture.followed))),
                       middle(slot_box(*followed)));

  if (pointed_cell) {
    const std::uint64_t block = *pointed_cell * picture.grid.per_cell;
    const PlacedBlock* there = nullptr;
    for (const PlacedBlock& placed : picture.placed)
      if (placed.block == block) there = &placed;
    tooltip = picture.placed.empty() ? block_text(picture, block, nullptr) : block_text(picture, block, there);
    if (ui->input().mouse_pressed) touch.set.emplace_back("launch.follow", static_cast<double>(block));
  }
  if (ui != nullptr && !tooltip.empty()) ui->tooltip(tooltip);
  return touch;
}

}  // namespace warpwalk::scenes

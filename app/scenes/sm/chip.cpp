// The SM to scale: warp slots and registers by sub-partition, shared memory, block slots and barriers.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/scenes/sm/panes.h"
#include "core/story/elements/moment.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::SmBlock;
using story::SmPicture;

constexpr float label_height = 20;

// The layout of the SM's parts. It is the same in every beat.
struct Plan {
  Box frame;
  std::vector<Box> slots;      // one area per sub-partition
  std::vector<Box> registers;  // one bar per sub-partition
  float head_y = 0;            // top of the sub-partitions' names; 0 if they do not fit
  float registers_label = 0, shared_label = 0, strip_label = 0;
  Box shared, block_slots, barriers;
  bool has_labels = true, has_strips = true;
  int columns = 1, rows = 1;

  Box cell(std::int64_t slot, std::int64_t parts) const {
    const Box& area = slots[static_cast<std::size_t>(slot % parts)];
    const auto index = static_cast<int>(slot / parts);
    const float width = area.width / static_cast<float>(columns), height = area.height / static_cast<float>(rows);
    return {area.x + width * static_cast<float>(index % columns) + 1.5f,
            area.y + height * static_cast<float>(index / columns) + 1.5f, width - 3, height - 3};
  }
};

// If there is little room, omits the least important parts: first the names of the sub-partitions, then the block slots
// and barriers, then the labels.
Plan plan_of(const Box& box, const SmPicture& picture) {
  Plan plan;
  plan.frame = box;
  const Box in = box.inset(box.height > 260 ? 14 : 8);
  const float gap = std::clamp(box.height * 0.028f, 4.0f, 14.0f);
  const float bar = std::clamp(box.height * 0.085f, 10.0f, 40.0f);
  const float strip = std::clamp(box.height * 0.04f, 8.0f, 16.0f);
  const float head = box.height > 250 ? label_height : 0;
  plan.has_strips = box.height > 220;
  plan.has_labels = box.height > 150;
  const float label = plan.has_labels ? label_height : 0;
  const float strips = plan.has_strips ? label + gap + strip : 0;
  const float slots = std::max(8.0f, in.height - head - 2 * (label + gap + bar) - strips);
  const auto parts = static_cast<float>(picture.sub_partitions);
  const float apart = 10;
  const float width = (in.width - apart * (parts - 1)) / parts;
  plan.head_y = head > 0 ? in.y : 0;
  const float slots_y = in.y + head;
  plan.registers_label = slots_y + slots + gap;
  plan.shared_label = plan.registers_label + label + bar + gap;
  plan.strip_label = plan.shared_label + label + bar + gap;
  for (std::int64_t p = 0; p < picture.sub_partitions; ++p) {
    const float x = in.x + (width + apart) * static_cast<float>(p);
    plan.slots.push_back({x, slots_y, width, slots});
    plan.registers.push_back({x, plan.registers_label + label, width, bar});
  }
  plan.shared = {in.x, plan.shared_label + label, in.width, bar};
  const float half = (in.width - 2 * apart) / 2;
  plan.block_slots = {in.x, plan.strip_label + label, half, strip};
  plan.barriers = {in.x + half + 2 * apart, plan.strip_label + label, half, strip};
  // Choose the number of columns that makes the slots as square as possible.
  const auto count = static_cast<int>(picture.warps_per_sm / picture.sub_partitions);
  float best = 0;
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const float side = std::min(width / static_cast<float>(columns), slots / static_cast<float>(rows));
    if (count % columns != 0 || side <= best) continue;
    best = side;
    plan.columns = columns;
    plan.rows = rows;
  }
  return plan;
}

struct Chip {
  Canvas& canvas;
  draw::Ui* ui;
  const SmPicture& picture;
  const Plan& plan;
  const SmToken& token;

  const draw::Theme& theme() const { return canvas.theme(); }
  ImU32 faded(ImU32 colour) const { return draw::mixed(colour, theme().ground, static_cast<float>(picture.sm_shown)); }
  ImU32 shade(ImU32 hue, std::int64_t number, const SmBlock& block) const {
    return faded(sm_shade(theme(), hue, number, block.now));
  }
  const SmBlock& block(std::int64_t number) const { return picture.blocks[static_cast<std::size_t>(number)]; }
  ImU32 text_on(ImU32 ground) const {
    return draw::contrast(theme().on_colour, ground) > draw::contrast(theme().text, ground) ? theme().on_colour
                                                                                            : theme().text;
  }
  void tip(const Box& place, const std::string& text, std::string_view term) const {
    if (ui == nullptr || picture.sm_shown < 1 || !ui->hovered(place)) return;
    ui->point(place, ui->word("sm.term", term));
    ui->tooltip(text);
  }
  // Hatches the resources of a block place that the grid leaves empty.
  void idle(const Box& place, double amount, ImU32 hue) const {
    if (amount <= 0) return;
    canvas.fill(place, draw::mixed(theme().panel, faded(hue), static_cast<float>(amount)));
    canvas.hatch(place, draw::with_alpha(faded(theme().second), static_cast<float>(amount * 0.5)));
  }

  void label(float x, float y, std::string_view text, float width) const {
    if (plan.has_labels) canvas.text({x, y}, Style::label, faded(theme().second), text, width);
  }

  void paint_slots() const {
    for (std::int64_t n = 0; n < picture.warps_per_sm; ++n)
      canvas.outline(plan.cell(n, picture.sub_partitions), faded(theme().line), 3, theme().hairline);
    for (const Box& slots : plan.slots) tip(slots, picture.tip_slots, "slot");
    if (plan.head_y > 0)
      for (std::size_t p = 0; p < plan.slots.size(); ++p)
        label(plan.slots[p].x, plan.head_y, fmt::format("{} {}", picture.word_sub_partition, p), plan.slots[p].width);
  }

  void paint_warp(std::int64_t n, const Box& place) const {
    const story::SmSlot& slot = picture.slots[static_cast<std::size_t>(n)];
    const SmBlock& of = block(slot.block);
    const ImU32 colour = shade(theme().done, slot.block, of);
    const float used = static_cast<float>(slot.threads) / static_cast<float>(picture.threads_per_warp);
    canvas.fill(place, draw::mixed(colour, faded(theme().panel), 0.25f), 3);
    canvas.fill({place.x, place.y, place.width * used, place.height}, colour, 3,
                used < 1 ? ImDrawFlags_RoundCornersLeft : ImDrawFlags_RoundCornersAll);
    if (used < 1)
      canvas.hatch({place.x + place.width * used, place.y, place.width * (1 - used), place.height},
                   draw::with_alpha(colour, 0.8f));
    idle(place, of.idle, colour);
    const std::string number = std::to_string(slot.block);
    if (of.idle > 0.5 || place.height < canvas.line_height(Style::mono_small) ||
        place.width * used < canvas.text_width(Style::mono_small, number) + 4)
      return;
    canvas.text_in({place.x, place.y, place.width * used, place.height}, Style::mono_small,
                   draw::mixed(text_on(colour), colour, static_cast<float>(picture.sm_shown)), number, Align::centre);
  }

  // Each warp moves separately, in order.
  void paint_warps() const {
    const auto count = static_cast<double>(picture.waiting_warps);
    std::vector<std::int64_t> flying;
    for (std::int64_t n = 0; n < static_cast<std::int64_t>(picture.slots.size()); ++n) {
      const SmBlock& of = block(picture.slots[static_cast<std::size_t>(n)].block);
      if (of.warps < 1) {
        flying.push_back(n);
        continue;
      }
      const Box place = plan.cell(n, picture.sub_partitions);
      paint_warp(n, place);
      tip(place, of.idle > 0 ? picture.tip_idle : picture.slots[static_cast<std::size_t>(n)].tip, "slot");
    }
    if (picture.sm_shown < 1) return;
    for (const std::int64_t n : flying) {
      const story::SmSlot& slot = picture.slots[static_cast<std::size_t>(n)];
      const SmBlock& of = block(slot.block);
      if (of.here < 1) continue;
      const double from = 0.5 * static_cast<double>(slot.warp) / count;
      const double way = story::eased(story::part(of.warps, from, from + 0.5));
      paint_warp(n, between(token.warp(slot.warp, picture.waiting_warps), plan.cell(n, picture.sub_partitions),
                            static_cast<float>(way)));
    }
  }

  void paint_registers() const {
    const float room = plan.registers.back().right() - plan.registers.front().x;
    label(plan.registers.front().x, plan.registers_label, picture.word_registers, room);
    const auto part = static_cast<float>(picture.registers_per_sm / picture.sub_partitions);
    for (const Box& bar : plan.registers) {
      canvas.fill(bar, faded(theme().panel), 3);
      canvas.outline(bar, faded(theme().line), 3, theme().hairline);
      tip(bar, picture.tip_registers, "registers");
    }
    for (std::int64_t n = 0; n < static_cast<std::int64_t>(picture.slots.size()); ++n) {
      const std::int64_t number = picture.slots[static_cast<std::size_t>(n)].block;
      const SmBlock& of = block(number);
      if (of.registers <= 0 || picture.registers_per_warp == 0) continue;
      const Box& bar = plan.registers[static_cast<std::size_t>(n % picture.sub_partitions)];
      const float each = static_cast<float>(picture.registers_per_warp) / part * bar.width;
      const float lost = each * static_cast<float>(picture.registers_per_warp - picture.registers_of_warp) /
                         static_cast<float>(picture.registers_per_warp);
      const float x = bar.x + each * static_cast<float>(n / picture.sub_partitions);
      const Box piece = {x, bar.y, each * static_cast<float>(of.registers), bar.height};
      const ImU32 colour = shade(theme().done, number, of);
      canvas.fill(piece, colour);
      idle(piece, of.idle, colour);
      if (of.registers >= 1 && lost >= 2 && of.idle <= 0)
        canvas.hatch({piece.right() - lost, bar.y, lost, bar.height}, faded(theme().ground));
      if (x > bar.x) canvas.line({x, bar.y}, {x, bar.bottom()}, faded(theme().ground), theme().hairline);
    }
  }

  void paint_shared() const {
    const Box& bar = plan.shared;
    const auto whole = static_cast<float>(picture.shared_bar);
    const float split = bar.x + bar.width * std::min(1.0f, static_cast<float>(picture.carveout) / whole);
    const float words = canvas.text_width(Style::label, picture.word_carveout);
    label(bar.x, plan.shared_label, picture.word_shared, words < bar.width * 0.5f ? bar.width - words - 24 : bar.width);
    canvas.fill({bar.x, bar.y, split - bar.x, bar.height}, faded(draw::mixed(theme().shared, theme().panel, 0.10f)), 3,
                ImDrawFlags_RoundCornersLeft);
    canvas.fill({split, bar.y, bar.right() - split, bar.height},
                faded(draw::mixed(theme().memory, theme().panel, 0.14f)), 3, ImDrawFlags_RoundCornersRight);
    canvas.outline(bar, faded(theme().line), 3, theme().hairline);
    if (bar.right() - split > canvas.text_width(Style::label, picture.word_cache) + 16 && bar.height >= 16)
      canvas.text_in({split + 8, bar.y, bar.right() - split - 16, bar.height}, Style::label, faded(theme().second),
                     picture.word_cache, Align::right);
    const float each = static_cast<float>(picture.shared_per_block) / whole * bar.width;
    const float lost = each * static_cast<float>(picture.shared_per_block - picture.shared_of_block) /
                       std::max(1.0f, static_cast<float>(picture.shared_per_block));
    for (std::size_t b = 0; b < picture.blocks.size() && picture.shared_per_block > 0; ++b) {
      const SmBlock& of = picture.blocks[b];
      if (of.shared <= 0) continue;
      const auto number = static_cast<std::int64_t>(b);
      const Box piece = {bar.x + each * static_cast<float>(b), bar.y, each * static_cast<float>(of.shared), bar.height};
      const ImU32 colour = shade(theme().shared, number, of);
      canvas.fill(piece, colour);
      idle(piece, of.idle, colour);
      if (of.shared >= 1 && lost >= 2 && of.idle <= 0)
        canvas.hatch({piece.right() - lost, bar.y, lost, bar.height}, faded(theme().ground));
      const std::string text = std::to_string(b);
      if (of.shared >= 1 && of.idle <= 0.5 && each - lost > canvas.text_width(Style::mono_small, text) + 6 &&
          bar.height >= canvas.line_height(Style::mono_small))
        canvas.text_in({piece.x, bar.y, each - lost, bar.height}, Style::mono_small,
                       draw::mixed(text_on(colour), colour, static_cast<float>(picture.sm_shown)), text, Align::centre);
      if (b > 0) canvas.line({piece.x, bar.y}, {piece.x, bar.bottom()}, faded(theme().ground), theme().hairline);
    }
    // Draw the boundary between shared memory and L1 cache, with its name above.
    canvas.line({split, bar.y - 4}, {split, bar.bottom() + 4}, faded(theme().text), 1.5f);
    if (plan.has_labels && words < bar.width * 0.5f)
      canvas.text({bar.right(), plan.shared_label}, Style::label, faded(theme().second), picture.word_carveout,
                  bar.width * 0.5f, Align::right);
    tip({bar.x, bar.y, split - bar.x, bar.height}, picture.tip_shared, "shared");
    tip({split, plan.shared_label, bar.right() - split, bar.bottom() - plan.shared_label}, picture.tip_carveout,
        "carveout");
  }

  void paint_strip(const Box& box, std::string_view word, std::int64_t count, std::int64_t each, ImU32 hue) const {
    label(box.x, plan.strip_label, word, box.width);
    const float step = box.width / static_cast<float>(count);
    for (std::int64_t n = 0; n < count; ++n) {
      const Box cell = {box.x + step * static_cast<float>(n) + 0.5f, box.y, std::max(1.0f, step - 2), box.height};
      const std::int64_t owner = n / each;
      const bool taken = owner < static_cast<std::int64_t>(picture.blocks.size());
      const double amount = taken ? block(owner).place : 0;
      canvas.fill(cell, faded(theme().line));
      canvas.fill(cell.inset(theme().hairline), faded(theme().panel));
      if (amount <= 0) continue;
      const ImU32 colour = shade(hue, owner, block(owner));
      canvas.fill(cell, draw::mixed(colour, faded(theme().panel), static_cast<float>(amount)));
      idle(cell, block(owner).idle, colour);
    }
  }

  void paint() const {
    canvas.fill(plan.frame, faded(draw::mixed(theme().panel, theme().ground, 0.5f)), 6);
    canvas.outline(plan.frame, faded(theme().line), 6, theme().hairline);
    paint_slots();
    paint_registers();
    paint_shared();
    if (plan.has_strips) {
      paint_strip(plan.block_slots, picture.word_block_slots, picture.block_slots, 1, theme().done);
      tip(plan.block_slots, picture.tip_block_slots, "block_slots");
    }
    if (plan.has_strips && picture.barriers > 0) {
      paint_strip(plan.barriers, picture.word_barriers, picture.barriers, picture.barriers_per_block, theme().barrier);
      tip(plan.barriers, picture.tip_barriers, "barriers");
    }
    paint_warps();
  }
};

}  // namespace

void paint_sm_gathering(Canvas& canvas, const Box& box, const SmPicture& picture) {
  const auto moved = static_cast<float>(picture.gathered);
  if (moved <= 0 || moved >= 1 || picture.slots.empty()) return;
  const std::optional<Box> column = sm_curve_column(box, picture);
  if (!column) return;
  const Plan plan = plan_of(box, picture);
  const float step = column->height / static_cast<float>(picture.slots.size());
  for (std::size_t n = 0; n < picture.slots.size(); ++n) {
    const SmBlock& of = picture.blocks[static_cast<std::size_t>(picture.slots[n].block)];
    if (of.warps < 1) continue;
    const Box piece = {column->x, column->bottom() - step * static_cast<float>(n + 1), column->width,
                       std::max(1.0f, step - 0.5f)};
    canvas.fill(draw::between(plan.cell(static_cast<std::int64_t>(n), picture.sub_partitions), piece, moved),
                sm_shade(canvas.theme(), canvas.theme().done, picture.slots[n].block, of.now), 1);
  }
}

void paint_sm_chip(Canvas& canvas, draw::Ui* ui, const Box& box, const SmPicture& picture, const SmToken& token) {
  if (picture.sm_shown <= 0) return;
  Chip{canvas, ui, picture, plan_of(box, picture), token}.paint();
}

}  // namespace warpwalk::scenes

// The waves: one column per SM and one lane per slot, with time downwards. Beside them, the same grid on other GPUs.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "app/scenes/launch/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::LaunchPicture;
using story::PlacedBlock;

constexpr float waves_head_room = 26;
constexpr float legend_room = 22;  // between the heading and the columns
constexpr float group_room = 24;   // under the columns
constexpr float rest_room = 54;    // the last wave as a share
constexpr float thin_lane =
    4;  // narrower lanes are merged into one column per SM, in a stronger colour with more blocks
constexpr float more_room = 22;  // the note that not all blocks are drawn
constexpr float gap_room = 30;   // the gap in place of waves that are not drawn

/// Columns of SMs, with a gap between groups.
struct Columns {
  float pitch = 1;
  float lane = 1;
  std::unordered_map<std::uint32_t, float> left;   // by SM, a whole pixel
  std::unordered_map<std::uint32_t, float> width;  // by SM, without the gap to the next one
  struct Group {
    float from, to;
    const std::string* label;
  };
  std::vector<Group> groups;
};

Columns columns_in(const Box& box, const LaunchPicture& picture) {
  Columns columns;
  std::size_t sms = 0;
  for (const story::SmGroup& group : picture.groups) sms += group.sms.size();
  const float gap = box.width > 500 ? 8 : 4;
  const float gaps = gap * static_cast<float>(picture.groups.size() - 1);
  columns.pitch = (box.width - gaps) / static_cast<float>(std::max<std::size_t>(sms, 1));
  // Columns begin and end at whole pixels, so that all gaps are equally wide. Narrow columns have none.
  const float between = columns.pitch >= 24 ? 6 : columns.pitch >= 5 ? 1 : 0;
  columns.lane = (columns.pitch - between) / static_cast<float>(std::max<std::uint32_t>(picture.slots_per_sm, 1));
  float x = box.x;
  for (const story::SmGroup& group : picture.groups) {
    const float from = x;
    for (const std::uint32_t sm : group.sms) {
      const float left = std::round(x);
      x += columns.pitch;
      columns.left[sm] = left;
      columns.width[sm] = std::max(1.0f, std::round(x) - left - between);
    }
    columns.groups.push_back({from, x - between, &group.label});
    x += gap;
  }
  return columns;
}

/// A vertical time axis. A gap of fixed height replaces the waves that are not drawn.
struct WaveAxis {
  Box box;
  const LaunchPicture& picture;

  bool broken() const { return picture.gap_to > picture.gap_from; }
  float gap() const { return broken() ? gap_room : 0; }
  float y(std::int64_t tick) const {
    const auto skipped = static_cast<float>(picture.gap_to - picture.gap_from);
    const float scale = (box.height - gap()) / (static_cast<float>(picture.last_tick) - skipped);
    if (!broken() || tick <= picture.gap_from) return box.y + static_cast<float>(tick) * scale;
    return box.y + static_cast<float>(picture.gap_from) * scale + gap() +
           static_cast<float>(std::max<std::int64_t>(0, tick - picture.gap_to)) * scale;
  }
};

void paint_layers(Canvas& canvas, const WaveAxis& axis, float gutter) {
  const draw::Theme& theme = canvas.theme();
  const LaunchPicture& picture = axis.picture;
  const Box& box = axis.box;
  float free = box.y - 100;
  for (std::size_t i = 0; i < picture.layers.size(); ++i) {
    const story::WaveLayer& layer = picture.layers[i];
    const float y = axis.y(layer.start);
    const bool before_gap = axis.broken() && layer.start < picture.gap_from &&
                            (i + 1 == picture.layers.size() || picture.layers[i + 1].start >= picture.gap_to);
    const float end = before_gap                      ? axis.y(picture.gap_from)
                      : i + 1 < picture.layers.size() ? axis.y(picture.layers[i + 1].start)
                                                      : box.bottom();
    if (i > 0) canvas.dashed({box.x, y}, {box.right(), y}, theme.second, theme.hairline);
    const float line = 19;
    // The last wave is the point of the picture, so its label has priority over the label of the wave above it.
    const bool last = i + 1 == picture.layers.size();
    if (y < free || (!last && axis.y(picture.layers.back().start) < y + line)) continue;
    const float width = gutter - 12;
    canvas.text({box.x - gutter, y - 1}, Style::label, theme.text, layer.label, width);
    free = y + line;
    if (end - y >= 2 * line && !layer.use.empty())
      canvas.text({box.x - gutter, y - 1 + line}, Style::label, theme.second, layer.use, width);
    if (end - y >= 3 * line && !layer.time.empty())
      canvas.text({box.x - gutter, y - 1 + 2 * line}, Style::mono_small, theme.second, layer.time, width);
  }
}

// Draws the gap: torn edges above and below, and a text that says which waves are left out.
void paint_gap(Canvas& canvas, const WaveAxis& axis) {
  const draw::Theme& theme = canvas.theme();
  const float top = axis.y(axis.picture.gap_from) + 1;
  const Box gap = {axis.box.x - 1, top, axis.box.width + 2, axis.gap() - 2};
  canvas.fill(gap, theme.ground);
  canvas.dashed({gap.x, gap.y}, {gap.right(), gap.y}, theme.second, theme.hairline);
  canvas.dashed({gap.x, gap.bottom()}, {gap.right(), gap.bottom()}, theme.second, theme.hairline);
  canvas.text_in(gap, Style::label, theme.second, axis.picture.gap_label, Align::centre);
}

// Draws the last wave as a share of the slots, even if its blocks are not drawn.
void paint_rest(Canvas& canvas, const Box& box, float gutter, const LaunchPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  float y = box.y + 8;
  if (!picture.more_blocks.empty()) {
    canvas.text({box.x - gutter, y}, Style::label, theme.second, picture.more_blocks, box.width + gutter);
    y += more_room;
  }
  canvas.text({box.x - gutter, y}, Style::label, theme.text, picture.last_wave, box.width + gutter);
  const auto swept = static_cast<float>(picture.swept);
  const Box bar = {box.x - gutter, y + 23, box.width + gutter, 16};
  canvas.hatch(bar, draw::mixed(theme.host, theme.ground, 0.5f));
  canvas.fill({bar.x, bar.y, bar.width * static_cast<float>(picture.last_share) * swept, bar.height}, theme.done, 3);
  canvas.outline(bar, theme.line, 3, theme.hairline);
}

/// Colours of the legend.
struct Swatches {
  ImU32 weak, strong, empty;
  bool hatched = false;
};

// Draws what the colours mean, as far as they are in the picture.
void paint_legend(Canvas& canvas, const Box& row, const LaunchPicture& picture, bool thin, const Swatches& colours) {
  const draw::Theme& theme = canvas.theme();
  constexpr float side = 12;
  const float y = row.y + (row.height - side) / 2;
  float x = row.x;
  const auto word = [&](const std::string& text) {
    x += 6;
    x += canvas.text_in({x, row.y, row.right() - x, row.height}, Style::label, theme.second, text) + 18;
  };
  if (thin) {
    canvas.fill({x, y, side, side}, colours.weak);
    canvas.fill({x + side, y, side, side}, colours.strong);
    x += 2 * side;
    word(picture.word_stronger);
  }
  if (picture.tail_shown <= 0) return;
  if (colours.hatched)
    canvas.hatch({x, y, 2 * side, side}, colours.empty);
  else
    canvas.fill({x, y, 2 * side, side}, colours.empty);
  x += 2 * side;
  word(picture.word_empty);
}

pictures::Touch paint_gpus(Canvas& canvas, draw::Ui* ui, const Box& box, const LaunchPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  pictures::Touch touch;
  canvas.text({box.x, box.y}, Style::small_caps, theme.second, picture.head_gpus, box.width * 0.5f);
  canvas.text({box.right(), box.y}, Style::small_caps, theme.second, picture.head_time, box.width * 0.5f, Align::right);
  // Low cards have no details; those that have no room are left out.
  constexpr float lowest = 48, whole = 70, highest = 76;
  const float each = (box.height - waves_head_room) / static_cast<float>(picture.gpus.size());
  const bool low = each < whole;
  const float high = low ? std::max(each, lowest) : std::min(each, highest);
  float y = box.y + waves_head_room;
  for (const story::GpuLine& gpu : picture.gpus) {
    const Box card = {box.x, y, box.width, high - 8};
    if (card.bottom() > box.bottom()) break;
    canvas.fill(card, theme.panel, 6);
    canvas.outline(card, gpu.chosen ? theme.now : theme.line, 6, gpu.chosen ? 1.5f : theme.hairline);
    const Box inner = {card.x + 12, card.y + 6, card.width - 24, card.height - 12};
    const float value = canvas.text({inner.right(), inner.y}, Style::mono, theme.text, gpu.time, 120, Align::right);
    canvas.text({inner.x, inner.y}, Style::label, gpu.chosen ? theme.text : theme.second, gpu.name,
                inner.width - value - 12);
    const Box bar = {inner.x, inner.y + 23, inner.width, 8};
    canvas.fill(bar, theme.ground, 3);
    if (gpu.share > 0)
      canvas.fill({bar.x, bar.y, std::max(2.0f, bar.width * static_cast<float>(gpu.share)), bar.height}, theme.done, 3);
    const std::string used = gpu.efficiency.empty() ? "" : picture.head_efficiency + " " + gpu.efficiency;
    if (!low) {
      const float right = canvas.text({inner.right(), bar.bottom() + 5}, Style::label, theme.second, used,
                                      inner.width / 2, Align::right);
      const float left = inner.width - right - 12;
      canvas.text({inner.x, bar.bottom() + 5}, Style::label, theme.second,
                  canvas.whole_sentences(Style::label, gpu.detail, left, 1), left);
    }
    if (ui != nullptr) {
      std::string text = gpu.name + ": " + gpu.detail;
      if (!used.empty()) text += "; " + used;
      ui->point(card, text);
      if (ui->hovered(card)) ui->tooltip(text);
      if (ui->activated(fmt::format("launch.gpu.{}", gpu.choice), card))
        touch.set.emplace_back("launch.gpu", static_cast<double>(gpu.choice));
    }
    y += high;
  }
  return touch;
}

/// The parts of the box.
struct WavePlan {
  float table = 0;   // width of the comparison of GPUs
  float width = 0;   // left of it
  float gutter = 0;  // left of the columns
  float rest = 0;    // below them
  Box area;          // of the columns
};

WavePlan plan_in(const Canvas& canvas, const Box& box, const LaunchPicture& picture) {
  WavePlan plan;
  plan.table = std::clamp(box.width * 0.4f, 240.0f, 380.0f);
  plan.width = box.width - static_cast<float>(picture.compare_shown) * (plan.table + 32);
  for (const story::WaveLayer& layer : picture.layers)
    plan.gutter = std::max(
        {plan.gutter, canvas.text_width(Style::label, layer.label), canvas.text_width(Style::label, layer.use)});
  plan.gutter = std::min(plan.gutter + 14, 150.0f);
  plan.rest = picture.last_wave.empty() ? 0 : picture.more_blocks.empty() ? rest_room : rest_room + more_room;
  const float tallest = 280 * static_cast<float>(picture.layers.size());
  const float top_room = waves_head_room + legend_room;
  plan.area = {box.x + plan.gutter, box.y + top_room, plan.width - plan.gutter,
               std::min(box.height - top_room - group_room - plan.rest, tallest)};
  return plan;
}

}  // namespace

std::vector<Box> launch_columns(const Canvas& canvas, const Box& box, const LaunchPicture& picture) {
  const Box area = plan_in(canvas, box, picture).area;
  const Columns columns = columns_in(area, picture);
  const bool thin = columns.lane < thin_lane && picture.slots_per_sm > 1;
  std::vector<Box> tops;
  for (const PlacedBlock& block : picture.placed) {
    if (block.turn != 0) continue;
    const float left = columns.left.at(block.sm) + (thin ? 0 : static_cast<float>(block.slot) * columns.lane);
    tops.push_back({left, area.y, thin ? columns.width.at(block.sm) : columns.lane, 3});
  }
  return tops;
}

pictures::Touch paint_launch_waves(Canvas& canvas, draw::Ui* ui, const Box& box, const LaunchPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  pictures::Touch touch;
  const auto beside = static_cast<float>(picture.compare_shown);
  const auto [table, width, gutter, rest, area] = plan_in(canvas, box, picture);
  const Columns columns = columns_in(area, picture);
  const WaveAxis axis = {area, picture};
  const auto y_of = [&](std::int64_t tick) { return axis.y(tick); };
  std::uint64_t largest = 0;
  for (const PlacedBlock& block : picture.placed) largest = std::max(largest, block.block);
  const float swept = area.y + static_cast<float>(picture.swept) * area.height;
  canvas.fill(area, theme.panel);

  std::unordered_map<std::uint64_t, std::int64_t> last_end;  // by SM and slot
  const PlacedBlock* pointed = nullptr;
  const float lane_gap = columns.lane >= 8 ? 2 : columns.lane >= 3 ? 0.7f : 0;
  const auto key = [](std::uint32_t sm, std::uint32_t slot) { return std::uint64_t{sm} << 32u | slot; };
  const bool thin = columns.lane < thin_lane && picture.slots_per_sm > 1;
  paint_placement_head(canvas, ui, {box.x, box.y, width, 20}, picture, "");
  const auto shade = [&](float share) {  // the shade depends only on how full the wave is
    return draw::mixed(theme.done, theme.ground, 0.95f * (0.2f + 0.8f * share));
  };
  struct Turn {
    std::int64_t start, end;
    std::uint32_t blocks;
  };
  std::unordered_map<std::uint64_t, Turn> turns;  // by SM and turn; only for thin lanes
  for (const PlacedBlock& block : picture.placed) {
    std::int64_t& end = last_end[key(block.sm, thin ? 0 : block.slot)];
    end = std::max(end, block.end);
    const float top = y_of(block.start);
    const float bottom = std::min(y_of(block.end), swept);
    const float left = columns.left.at(block.sm) + (thin ? 0 : static_cast<float>(block.slot) * columns.lane);
    const Box bar = {left, top, thin ? columns.width.at(block.sm) : columns.lane - lane_gap,
                     std::max(1.0f, bottom - top - 1)};
    if (top >= swept) continue;
    if (pointed == nullptr && ui != nullptr && ui->hovered(bar)) pointed = &block;
    if (thin) {
      const auto [at, first] = turns.insert({key(block.sm, block.turn), {block.start, block.end, 1}});
      if (!first)
        at->second = {std::min(at->second.start, block.start), std::max(at->second.end, block.end),
                      at->second.blocks + 1};
      continue;
    }
    canvas.fill(bar, block.block == picture.followed ? theme.now : shade(1));
    if (columns.lane >= 12) paint_block_number(canvas, bar, block.block, largest);
  }
  for (const auto& [at, turn] : turns) {
    const float top = y_of(turn.start), bottom = std::min(y_of(turn.end), swept);
    const auto sm = static_cast<std::uint32_t>(at >> 32u);
    canvas.fill({columns.left.at(sm), top, columns.width.at(sm), std::max(1.0f, bottom - top - 1)},
                shade(static_cast<float>(turn.blocks) / static_cast<float>(picture.slots_per_sm)));
  }
  // Outline the followed block so that it is visible even in a thin lane.
  const auto outline_followed = [&] {
    for (const PlacedBlock& block : picture.placed) {
      if (block.block != picture.followed || y_of(block.start) >= swept || columns.lane >= 6) continue;
      const Box around = {columns.left.at(block.sm) - 2, y_of(block.start), columns.width.at(block.sm) + 4,
                          std::min(y_of(block.end), swept) - y_of(block.start)};
      const Box rim = {around.x - 1.5f, around.y - 1.5f, around.width + 3, around.height + 3};
      canvas.outline(rim, theme.ground, 4, 1);
      canvas.outline(around, theme.now, 3, 2);
    }
  };

  const ImU32 idle = draw::mixed(theme.host, theme.panel, 0.55f * static_cast<float>(picture.tail_shown));
  bool hatched = false;
  if (picture.tail_shown > 0) {
    for (const story::SmGroup& group : picture.groups)
      for (const std::uint32_t sm : group.sms)
        for (std::uint32_t slot = 0; slot < (thin ? 1 : picture.slots_per_sm); ++slot) {
          const auto found = last_end.find(key(sm, slot));
          const float from = found == last_end.end() ? area.y : y_of(found->second);
          if (area.bottom() - from < 0.03f * area.height) continue;  // blocks only start one after the other
          const Box empty = {columns.left.at(sm) + static_cast<float>(slot) * columns.lane, from,
                             thin ? columns.width.at(sm) : columns.lane - lane_gap, area.bottom() - from};
          if (empty.width >= 10) {
            canvas.hatch(empty, idle);
            hatched = true;
          } else {
            canvas.fill(empty, draw::mixed(idle, theme.panel, 0.45f));
          }
        }
  }
  outline_followed();
  paint_legend(canvas, {box.x, box.y + waves_head_room - 2, width, legend_room}, picture, thin,
               {shade(1.0f / static_cast<float>(std::max<std::uint32_t>(picture.slots_per_sm, 1))), shade(1),
                hatched ? idle : draw::mixed(idle, theme.panel, 0.45f), hatched});
  if (axis.broken() && swept > y_of(picture.gap_from)) paint_gap(canvas, axis);
  paint_layers(canvas, axis, gutter);
  float free = box.x;
  for (const Columns::Group& group : columns.groups) {
    const float label = canvas.text_width(Style::label, *group.label);
    // The label of a narrow last group moves to the right, up to a little beyond the columns.
    const float x = std::min(std::max((group.from + group.to) / 2 - label / 2, free), box.x + width + 12 - label);
    if (group.label->empty()) continue;
    canvas.line({group.from, area.bottom() + 4}, {group.to, area.bottom() + 4}, theme.second, theme.hairline);
    if (x < free || x > group.to) continue;
    canvas.text({x, area.bottom() + 6}, Style::label, theme.second, *group.label);
    free = x + label + 8;
  }
  if (rest > 0) paint_rest(canvas, {area.x, area.bottom() + group_room, area.width, rest}, gutter, picture);

  if (beside > 0 && !picture.gpus.empty()) {
    const Box side = {box.x + width + 32, box.y, table, box.height};
    touch.add(paint_gpus(canvas, beside >= 1 ? ui : nullptr, side, picture));
    if (beside < 1)
      canvas.fill({side.x - 2, side.y, side.width + 6, side.height}, draw::with_alpha(theme.ground, 1 - beside));
  }
  if (pointed != nullptr) {
    ui->tooltip(block_text(picture, pointed->block, pointed));
    if (ui->input().mouse_pressed) touch.set.emplace_back("launch.follow", static_cast<double>(pointed->block));
  }
  return touch;
}

}  // namespace warpwalk::scenes

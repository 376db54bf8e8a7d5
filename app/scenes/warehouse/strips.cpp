#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/scenes/warehouse/panes.h"
#include "core/story/elements/figure.h"

namespace warpwalk::scenes {
namespace {

using analysis::MemoryRange;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::WarehousePicture;
using story::WarehouseRange;
using story::WarehouseStrip;

constexpr float strips_head = 22;
constexpr float strip_label_height = 19;
constexpr float bar_height = 20;
constexpr float row_gap = 7;
constexpr float torn_end = 10;  // width of the torn edge of a strip whose ends were not recorded
constexpr float tear = 5;

// Draws an end that was not recorded as torn paper: `outwards` is -1 on the left, 1 on the right.
void paint_torn_end(Canvas& canvas, const Box& bar, float outwards) {
  const draw::Theme& theme = canvas.theme();
  const float edge = outwards < 0 ? bar.x : bar.right();
  const Box paper = {outwards < 0 ? edge - torn_end : edge, bar.y, torn_end, bar.height};
  canvas.fill(paper, theme.panel);
  canvas.line({paper.x, paper.y}, {paper.right(), paper.y}, theme.line, theme.hairline);
  canvas.line({paper.x, paper.bottom() - 1}, {paper.right(), paper.bottom() - 1}, theme.line, theme.hairline);
  constexpr int teeth = 4;
  const float step = bar.height / teeth, end = edge + outwards * (torn_end + 0.5f);
  for (int i = 0; i < teeth; ++i) {
    const float y = bar.y + static_cast<float>(i) * step;
    canvas.triangle({end, y}, {end, y + step}, {end - outwards * tear, y + step / 2}, theme.ground);
    canvas.line({end, y}, {end - outwards * tear, y + step / 2}, theme.line, theme.hairline);
    canvas.line({end - outwards * tear, y + step / 2}, {end, y + step}, theme.line, theme.hairline);
  }
}

pictures::Touch paint_range(Canvas& canvas, draw::Ui* ui, const Box& bar, const WarehouseStrip& strip,
                            const WarehouseRange& range) {
  const draw::Theme& theme = canvas.theme();
  const double scale = static_cast<double>(bar.width) / static_cast<double>(strip.bytes);
  const auto shown = static_cast<float>(range.shown);
  const float left = bar.x + static_cast<float>(static_cast<double>(range.address - strip.address) * scale);
  const float full = std::min(static_cast<float>(static_cast<double>(range.bytes) * scale), bar.right() - left);
  const bool block = range.state == MemoryRange::State::block;
  const Box place = {left, bar.y, std::max(full * (block ? shown : 1), 2.0f), bar.height};
  const ImU32 colour = block ? theme.memory : draw::mixed(theme.memory, theme.ground, 0.1f);
  if (block) {
    if (shown > 0) canvas.fill({place.x, place.y, std::max(place.width - 1, 1.5f), place.height}, colour);
  } else {
    // A block that was just freed fades into free space.
    canvas.fill(place, draw::mixed(colour, theme.memory, shown));
    canvas.hatch(place, draw::mixed(theme.memory, theme.ground, 0.5f));
  }
  const float text = canvas.text_width(Style::label, range.label);
  if (!range.label.empty() && text + 12 <= place.width && shown >= 1) {
    const Box words = {place.x + (place.width - text) / 2, place.y + 2, text, place.height - 4};
    if (!block) canvas.fill({words.x - 5, words.y, text + 10, words.height}, theme.ground, 4);
    canvas.text_in(words, Style::label, block ? theme.on_colour : theme.second, range.label);
  }
  if (range.chosen) canvas.outline({place.x - 2, place.y - 2, place.width + 3, place.height + 4}, theme.text, 3, 2);
  if (range.followed && shown > 0) {
    canvas.outline({place.x - 2, place.y - 2, place.width + 3, place.height + 4}, theme.now, 3, 2);
    if (place.width < 12) {
      const float x = place.x + place.width / 2;
      canvas.triangle({x - 5, bar.y - 9}, {x + 5, bar.y - 9}, {x, bar.y - 3}, theme.now);
    }
  }
  pictures::Touch touch;
  if (ui == nullptr || !ui->hovered({place.x - 1, place.y, place.width + 2, place.height})) return touch;
  ui->point(place, range.tip);
  ui->tooltip(range.tip);
  if (block && ui->input().mouse_pressed) {
    touch.set.emplace_back("warehouse.block", static_cast<double>(range.address));
    touch.set.emplace_back("warehouse.tensor", std::nullopt);
  }
  return touch;
}

pictures::Touch paint_strip(Canvas& canvas, draw::Ui* ui, const Box& box, const WarehouseStrip& strip,
                            std::string_view torn) {
  const draw::Theme& theme = canvas.theme();
  const float width =
      std::max(12.0f, static_cast<float>(static_cast<double>(strip.bytes) / static_cast<double>(strip.scale)) *
                          (box.width - 2 * torn_end));
  const Box bar = {box.x + torn_end, box.y + strip_label_height, width, bar_height};
  float room = box.width;
  const auto x_of = [&](std::uint64_t address) {
    return bar.x +
           static_cast<float>(static_cast<double>(address - strip.address) / static_cast<double>(strip.bytes)) * width;
  };
  // Draws a label for an address, on the line above the strip, to the right of the strip's own label.
  const auto say = [&](std::uint64_t address, const std::string& words) {
    const float text = canvas.text_width(Style::label, words);
    const float least = box.x + canvas.text_width(Style::label, strip.label) + 24;
    const float x = std::clamp(x_of(address) - text / 2, least, std::max(least, box.right() - text));
    room = x - box.x - 16;
    pictures::paint_cut(canvas, ui, {x, box.y}, Style::label, theme.now, words, box.right() - x);
  };
  for (const WarehouseRange& range : strip.ranges) {
    if (!range.followed || range.shown <= 0) continue;
    if (canvas.text_width(Style::label, range.label) + 12 >
        x_of(range.address + static_cast<std::uint64_t>(range.bytes)) - x_of(range.address))
      say(range.address, range.label);
  }
  if (strip.was_bytes > 0) say(strip.was, strip.was_label);
  pictures::paint_cut(canvas, ui, {box.x, box.y}, Style::label, theme.second, strip.label, room);
  canvas.fill(bar, theme.panel);
  if (strip.segment) {
    canvas.outline(bar, theme.second, 0, theme.hairline);
  } else {
    canvas.line({bar.x, bar.y}, {bar.right(), bar.y}, theme.line, theme.hairline);
    canvas.line({bar.x, bar.bottom() - 1}, {bar.right(), bar.bottom() - 1}, theme.line, theme.hairline);
    paint_torn_end(canvas, bar, -1);
    paint_torn_end(canvas, bar, 1);
  }
  pictures::Touch touch;
  if (ui != nullptr && ui->hovered(bar)) ui->tooltip(strip.segment ? strip.tip : fmt::format("{} {}", strip.tip, torn));
  for (const WarehouseRange& range : strip.ranges) touch.add(paint_range(canvas, ui, bar, strip, range));
  if (strip.was_bytes > 0) {
    const float from = x_of(strip.was) - 2;
    const float to = std::max(from + 5, x_of(strip.was + static_cast<std::uint64_t>(strip.was_bytes)) + 1);
    for (const float y : {bar.y - 2, bar.bottom() + 1}) canvas.dashed({from, y}, {to, y}, theme.now, 2);
    for (const float x : {from, to}) canvas.dashed({x, bar.y - 2}, {x, bar.bottom() + 2}, theme.now, 2);
  }
  return touch;
}

}  // namespace

float memory_strips_height(const WarehousePicture& picture) {
  return strips_head + static_cast<float>(picture.strips.size()) * (strip_label_height + bar_height + row_gap);
}

pictures::Touch paint_memory_strips(Canvas& canvas, draw::Ui* ui, const Box& box, const WarehousePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  pictures::Touch touch;
  constexpr float row = strip_label_height + bar_height + row_gap;
  const auto fit = static_cast<std::size_t>(std::max(0.0f, (box.height - strips_head + row_gap) / row));
  // The strips are sorted by importance. Keep those that fit and draw them by address, so that positions are stable.
  std::vector<const WarehouseStrip*> strips;
  for (const WarehouseStrip& strip : picture.strips)
    if (strips.size() < fit) strips.push_back(&strip);
  if (strips.empty()) return touch;
  std::sort(strips.begin(), strips.end(),
            [](const WarehouseStrip* a, const WarehouseStrip* b) { return a->address < b->address; });
  float more = 0;
  if (picture.strips_in_all > strips.size())
    more = canvas.text(
        {box.right(), box.y - 2}, Style::label, theme.second,
        fmt::format("{} {}", picture.more_strips,
                    story::with_thousands(static_cast<std::int64_t>(picture.strips_in_all - strips.size()))),
        box.width / 2, draw::Align::right);
  pictures::paint_cut(canvas, ui, {box.x, box.y}, Style::small_caps, theme.second, picture.head_addresses,
                      box.width - more - 16);
  float y = box.y + strips_head;
  for (const WarehouseStrip* strip : strips) {
    touch.add(
        paint_strip(canvas, ui, {box.x, y, box.width, strip_label_height + bar_height}, *strip, picture.word_torn));
    y += row;
  }
  return touch;
}

}  // namespace warpwalk::scenes

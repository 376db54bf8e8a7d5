#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/scenes/warehouse_parts.h"

namespace warpwalk::scenes {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;
using story::MemoryRange;
using story::WarehousePicture;
using story::WarehouseRange;
using story::WarehouseStrip;

constexpr float head = 24;
constexpr float label_height = 20;
constexpr float bar_height = 22;
constexpr float row_gap = 10;
constexpr float tear = 5;

// An end that is not on record, like torn paper.
void paint_torn(Canvas& canvas, float x, const Box& bar, float outwards) {
  const draw::Theme& theme = canvas.theme();
  const int teeth = 4;
  const float step = bar.height / teeth;
  for (int i = 0; i < teeth; ++i) {
    const float y = bar.y + static_cast<float>(i) * step;
    canvas.triangle({x, y}, {x, y + step}, {x - outwards * tear, y + step / 2}, theme.ground);
  }
}

Touch paint_range(Canvas& canvas, draw::Ui* ui, const Box& bar, const WarehouseStrip& strip,
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
    // What was just freed turns from a block into free space.
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
  Touch touch;
  if (ui == nullptr || !ui->hovered({place.x - 1, place.y, place.width + 2, place.height})) return touch;
  ui->point(place, range.tip);
  ui->tooltip(range.tip);
  if (block && ui->input().mouse_pressed) {
    touch.set.emplace_back("warehouse.block", static_cast<double>(range.address));
    touch.set.emplace_back("warehouse.tensor", std::nullopt);
  }
  return touch;
}

Touch paint_strip(Canvas& canvas, draw::Ui* ui, const Box& box, const WarehouseStrip& strip, std::string_view torn) {
  const draw::Theme& theme = canvas.theme();
  const float width = std::max(
      12.0f, static_cast<float>(static_cast<double>(strip.bytes) / static_cast<double>(strip.scale)) * box.width);
  const Box bar = {box.x, box.y + label_height, width, bar_height};
  float room = box.width;
  // A followed block too small for its words has them on the line above, at the right.
  for (const WarehouseRange& range : strip.ranges) {
    if (!range.followed || range.shown <= 0) continue;
    const float own = static_cast<float>(static_cast<double>(range.bytes) / static_cast<double>(strip.bytes)) * width;
    const float text = canvas.text_width(Style::label, range.label);
    if (text + 12 <= own) continue;
    const float wanted = bar.x + static_cast<float>(static_cast<double>(range.address - strip.address) /
                                                    static_cast<double>(strip.bytes)) *
                                     width;
    const float strip_label = canvas.text_width(Style::label, strip.label) + 24;
    const float x =
        std::clamp(wanted - text / 2, box.x + strip_label, std::max(box.x + strip_label, box.right() - text));
    room = x - box.x - 16;
    canvas.text({x, box.y}, Style::label, theme.now, range.label, box.right() - x);
  }
  canvas.text({box.x, box.y}, Style::label, theme.second, strip.label, room);
  canvas.fill(bar, theme.panel);
  canvas.outline(bar, theme.line, 0, theme.hairline);
  Touch touch;
  if (ui != nullptr && ui->hovered(bar)) ui->tooltip(strip.segment ? strip.tip : fmt::format("{} {}", strip.tip, torn));
  for (const WarehouseRange& range : strip.ranges) touch.add(paint_range(canvas, ui, bar, strip, range));
  if (!strip.segment) {
    paint_torn(canvas, bar.x - 0.5f, bar, -1);
    paint_torn(canvas, bar.right() + 0.5f, bar, 1);
  }
  return touch;
}

}  // namespace

Touch paint_memory_strips(Canvas& canvas, draw::Ui* ui, const Box& box, const WarehousePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  Touch touch;
  constexpr float row = label_height + bar_height + row_gap;
  const auto fit = static_cast<std::size_t>(std::max(0.0f, (box.height - head + row_gap) / row));
  // The most telling come first; those that fit are drawn by address, so that places stay.
  std::vector<const WarehouseStrip*> strips;
  for (const WarehouseStrip& strip : picture.strips)
    if (strips.size() < fit) strips.push_back(&strip);
  if (strips.empty()) return touch;
  std::sort(strips.begin(), strips.end(),
            [](const WarehouseStrip* a, const WarehouseStrip* b) { return a->address < b->address; });
  canvas.text({box.x, box.y}, Style::small_caps, theme.second, picture.head_addresses);
  if (picture.strips_in_all > strips.size())
    canvas.text({box.right(), box.y - 2}, Style::label, theme.second,
                fmt::format("{} {}", picture.more_strips, picture.strips_in_all - strips.size()), 300,
                draw::Align::right);
  float y = box.y + head;
  for (const WarehouseStrip* strip : strips) {
    touch.add(paint_strip(canvas, ui, {box.x, y, box.width, label_height + bar_height}, *strip, picture.word_torn));
    y += row;
  }
  return touch;
}

}  // namespace warpwalk::scenes

// From an op to machine code: the stations along the top, and below them the pane of the current beat.
#include <algorithm>
#include <string>

#include "app/pictures/pictures.h"
#include "app/scenes/translator/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float roomy_gap = 24;  // between stops
constexpr float close_gap = 18;

void paint_arrow(Canvas& canvas, float from, float to, float y, ImU32 colour) {
  canvas.line({from, y}, {to, y}, colour, 1.5f);
  canvas.line({to - 5, y - 4}, {to, y}, colour, 1.5f);
  canvas.line({to - 5, y + 4}, {to, y}, colour, 1.5f);
}

// Draws the two doors of a stop, or the value of any other stop.
void paint_value(Canvas& canvas, draw::Ui* ui, const Box& box, const story::TranslatorStation& station, ImU32 text,
                 ImU32 off) {
  if (station.absent) {
    pictures::paint_cut(canvas, ui, box, Style::label, off, station.note);
    return;
  }
  if (station.second.empty()) {
    pictures::paint_cut(canvas, ui, box, Style::mono_small, text, station.value);
    return;
  }
  const float half = box.width / 2;
  if (station.undecided) {
    canvas.text_in({box.x, box.y, half - 4, box.height}, Style::mono_small, off, station.value);
    canvas.text_in({box.x + half, box.y, half, box.height}, Style::mono_small, off, station.second);
    return;
  }
  canvas.text_in({box.x, box.y, half - 4, box.height}, Style::mono_small, station.second_taken ? off : text,
                 station.value);
  canvas.text_in({box.x + half, box.y, half, box.height}, Style::mono_small, station.second_taken ? text : off,
                 station.second);
  const float under = station.second_taken ? box.x + half : box.x;
  const float width = canvas.text_width(Style::mono_small, station.second_taken ? station.second : station.value);
  canvas.line({under, box.bottom()}, {under + width, box.bottom()}, text, 2);
}

// Returns the place of the packet.
Box paint_way(Canvas& canvas, draw::Ui* ui, const Box& box, const story::TranslatorPicture& picture, bool low) {
  const draw::Theme& theme = canvas.theme();
  const auto count = static_cast<float>(picture.stations.size());
  const float gap = box.width < 800 ? close_gap : roomy_gap;
  const float pad = box.width < 800 ? 8 : 10;
  const float width = (box.width - gap * (count - 1)) / count;
  const auto place_of = [&](std::size_t i) {
    return Box{box.x + static_cast<float>(i) * (width + gap), box.y, width, box.height};
  };
  const bool wide = std::ranges::all_of(picture.stations, [&](const story::TranslatorStation& station) {
    return canvas.text_width(Style::small_caps, station.name) <= width - 16;
  });
  for (std::size_t i = 0; i < picture.stations.size(); ++i) {
    const story::TranslatorStation& station = picture.stations[i];
    const auto reached = static_cast<float>(station.reached);
    const Box place = place_of(i);
    canvas.fill(place, theme.panel, 6);
    canvas.outline(place, theme.line, 6, theme.hairline);
    const ImU32 text = draw::mixed(theme.text, theme.panel, reached);
    const ImU32 second = draw::mixed(theme.second, theme.faint, reached);
    if (low) {
      canvas.text_in(place.inset(8), wide ? Style::small_caps : Style::label,
                     station.reached > 0.5 ? theme.text : second, station.name);
    } else {
      canvas.text({place.x + pad, place.y + 8}, Style::label, second, station.name, width - 2 * pad);
      paint_value(canvas, ui, {place.x + pad, place.y + 28, width - 2 * pad, 20}, station, text,
                  station.absent ? theme.faint : draw::mixed(theme.faint, theme.panel, reached));
    }
    if (i > 0)
      paint_arrow(canvas, place.x - gap + 4, place.x - 4, place.y + place.height / 2,
                  draw::mixed(theme.second, theme.line, picture.stations[i - 1].absent ? 0 : reached));
    if (ui != nullptr) ui->point(place, std::string(station.name).append(" ").append(station.value));
  }
  // The packet is drawn as a frame that moves from stop to stop.
  const float x = box.x + static_cast<float>(picture.packet) * (width + gap);
  const Box packet = {x - 2, box.y - 2, width + 4, box.height + 4};
  canvas.outline(packet, theme.now, 8, 2);
  return packet;
}

}  // namespace

pictures::Touch paint_translator(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage&,
                                 const story::TranslatorPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  pictures::Touch touch;
  const bool low = box.height < 345;
  const Box way = {box.x + 2, box.y + 2, box.width - 4, low ? 32.0f : 58.0f};
  const Box packet = paint_way(canvas, ui, way, picture, low);
  const float top = way.bottom() + (low ? 12 : 22);
  const Box pane = {box.x, top, box.width, box.bottom() - top};
  if (pane.height < 40) return touch;
  canvas.clip(pane);
  const auto amount = [](double shown) { return static_cast<float>(shown); };
  if (picture.ops && picture.ops_shown > 0) paint_ops_pane(canvas, ui, pane, *picture.ops, amount(picture.ops_shown));
  if (picture.keys && picture.keys_shown > 0)
    paint_keys_pane(canvas, ui, pane, *picture.keys, amount(picture.keys_shown));
  if (picture.name && picture.name_shown > 0)
    paint_name_pane(canvas, ui, pane, *picture.name, amount(picture.name_shown));
  if (picture.order && picture.order_shown > 0)
    paint_order_pane(canvas, ui, pane, *picture.order, amount(picture.order_shown));
  if (picture.code && picture.code_shown > 0)
    touch.add(pictures::paint_code(canvas, ui, pane, *picture.code, amount(picture.code_shown)));
  if (picture.instruction && picture.instruction_shown > 0)
    touch.add(paint_instruction_pane(canvas, ui, pane, *picture.instruction, amount(picture.instruction_shown)));
  if (picture.lines && picture.lines_shown > 0)
    touch.add(paint_lines_pane(canvas, ui, pane, *picture.lines, amount(picture.lines_shown)));
  canvas.unclip();
  const float opened = amount(picture.opened);
  if (opened > 0 && opened < 1)
    canvas.outline(draw::between(packet, pane, opened), draw::with_alpha(theme.now, 1 - opened), 8, 2);
  return touch;
}

}  // namespace warpwalk::scenes

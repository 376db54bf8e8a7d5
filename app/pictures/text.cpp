#include "app/pictures/text.h"

#include <algorithm>
#include <string>

namespace warpwalk::pictures {
namespace {

// Of a line of origins: the room of a mark, and the gap behind a word.
constexpr float origin_mark = 12, origin_gap = 14;

}  // namespace

void paint_cut(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, draw::Style style, ImU32 colour,
               std::string_view text, draw::Align align) {
  canvas.text_in(box, style, colour, text, align);
  if (ui != nullptr && ui->hovered(box) && canvas.text_width(style, text) > box.width) ui->tooltip(text);
}

void paint_cut(draw::Canvas& canvas, draw::Ui* ui, draw::Point at, draw::Style style, ImU32 colour,
               std::string_view text, float limit) {
  canvas.text(at, style, colour, text, limit);
  if (ui != nullptr && canvas.text_width(style, text) > limit && ui->hovered({at.x, at.y, limit, 20}))
    ui->tooltip(text);
}

std::string figure_tip(const draw::Ui& ui, std::string_view label, const story::Figure& figure) {
  std::string tip(label);
  tip.append(label.empty() ? "" : ": ").append(figure.text()).append(", ");
  tip.append(ui.word("origin", trace::name_of(figure.origin())));
  if (!figure.formula().empty()) tip.append(figure.is_constant() ? "\n" : ": ").append(figure.formula());
  return tip;
}

void paint_origin_mark(draw::Canvas& canvas, draw::Point centre, story::Origin origin, ImU32 colour) {
  constexpr float radius = 3.5f;
  const draw::Box around = {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius};
  switch (origin) {
    case story::Origin::measured: canvas.dot(centre, radius, colour); return;
    case story::Origin::simulated: canvas.outline(around, colour, radius, 1.5f); return;
    case story::Origin::derived:
      canvas.triangle({centre.x, around.y}, {around.right(), around.bottom()}, {around.x, around.bottom()}, colour);
      return;
    case story::Origin::explained: canvas.line({around.x, centre.y}, {around.right(), centre.y}, colour, 1.5f); return;
  }
}

float origins_width(const draw::Canvas& canvas, const OriginWords& words) {
  float width = words.empty() ? 0 : -origin_gap;
  for (const auto& word : words) width += origin_mark + canvas.text_width(draw::Style::label, word.second) + origin_gap;
  return width;
}

void paint_origins(draw::Canvas& canvas, float right, float middle, const OriginWords& words) {
  const ImU32 colour = canvas.theme().second;
  float x = right - origins_width(canvas, words);
  for (const auto& [origin, word] : words) {
    paint_origin_mark(canvas, {x + 4, middle}, origin, colour);
    x += origin_mark;
    x += canvas.text_in({x, middle - 10, 200, 20}, draw::Style::label, colour, word) + origin_gap;
  }
}

void paint_banner(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, std::string_view words, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  constexpr float pad = 14, edge = 26;
  const ImU32 own = theme.second;
  canvas.hatch(box, faded(draw::mixed(own, theme.ground, 0.45f)));
  const float room = box.width - 2 * (pad + edge);
  const float width = std::min(canvas.text_width(draw::Style::label, words), room) + 2 * pad;
  const draw::Box plate = {box.x + (box.width - width) / 2, box.y + 2, width, box.height - 4};
  canvas.fill(plate, faded(theme.ground), 4);
  canvas.text_in({plate.x + pad, plate.y, plate.width - 2 * pad, plate.height}, draw::Style::label, faded(theme.text),
                 words, draw::Align::centre);
  canvas.outline(box, faded(own), 6, theme.hairline);
  if (ui == nullptr) return;
  ui->point(box, std::string(words));
  if (ui->hovered(box)) ui->tooltip(words);
}

}  // namespace warpwalk::pictures

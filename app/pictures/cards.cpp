// Columns of cards that lead to other places.
#include <algorithm>

#include <fmt/format.h>

#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float card_column_gap = 20, card_gap = 12, card_head_room = 34, card_pad = 14;
constexpr float highest_card = 160;

void paint_card(Canvas& canvas, const Box& box, const story::CardColumn& column, const story::Card& card,
                bool hovered) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(column.shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const ImU32 tone = colour_of(column.tone, theme);
  canvas.fill(box, faded(hovered ? draw::mixed(theme.second, theme.ground, 0.22f) : theme.panel), 8);
  canvas.outline(box, faded(card.link.empty() ? theme.line : tone), 8, card.link.empty() ? theme.hairline : 1.5f);
  const float width = box.width - 2 * card_pad;
  const float foot = card.foot.empty() ? 0 : 1.2f * canvas.line_height(Style::label);
  const bool large = canvas.text_width(Style::heading, card.heading) <= width;
  float y = box.y + 10;
  y += canvas.paragraph({box.x + card_pad, y}, large ? Style::heading : Style::body, faded(theme.text), card.heading,
                        width, 2);
  y += 4;
  const float line = 1.2f * canvas.line_height(Style::label);
  // The whole text, in place of the foot if need be, or none: the beginning of a sentence says little.
  constexpr int longest_text = 99;
  const auto needed = static_cast<int>(canvas.wrapped(Style::label, card.text, width, longest_text).size());
  const auto lines_above = [&](float below) { return static_cast<int>((box.bottom() - below - 8 - y) / line); };
  const bool beside_foot = needed <= lines_above(foot), whole = beside_foot || needed <= lines_above(0);
  if (whole) canvas.paragraph({box.x + card_pad, y}, Style::label, faded(theme.second), card.text, width, needed);
  if (foot > 0 && (beside_foot || !whole) && box.bottom() - foot - 5 >= y)
    canvas.text({box.x + card_pad, box.bottom() - foot - 5}, Style::label, faded(draw::mixed(tone, theme.text, 0.5f)),
                card.foot, width);
}

}  // namespace

Touch paint_cards(Canvas& canvas, draw::Ui* ui, const Box& box, const story::CardPicture& picture) {
  Touch touch;
  const draw::Theme& theme = canvas.theme();
  const auto count = static_cast<float>(picture.columns.size());
  const float width = (box.width - card_column_gap * (count - 1)) / count;
  std::size_t most = 1;
  for (const story::CardColumn& column : picture.columns) most = std::max(most, column.cards.size());
  const float height = std::min(
      highest_card, (box.height - card_head_room - card_gap * static_cast<float>(most - 1)) / static_cast<float>(most));
  float x = box.x;
  for (std::size_t c = 0; c < picture.columns.size(); ++c) {
    const story::CardColumn& column = picture.columns[c];
    if (column.shown > 0) {
      canvas.text({x, box.y}, Style::heading, draw::mixed(theme.text, theme.ground, static_cast<float>(column.shown)),
                  column.head, width);
      for (std::size_t i = 0; i < column.cards.size(); ++i) {
        const story::Card& card = column.cards[i];
        const Box place = {x, box.y + card_head_room + (height + card_gap) * static_cast<float>(i), width, height};
        const bool hovered = ui != nullptr && !card.link.empty() && ui->hovered(place);
        paint_card(canvas, place, column, card, hovered);
        if (ui == nullptr) continue;
        ui->point(place, card.heading + " " + card.text);
        if (!card.link.empty() && ui->activated(fmt::format("card.{}.{}", c, i), place)) touch.go = card.link;
      }
    }
    x += width + card_column_gap;
  }
  return touch;
}

}  // namespace warpwalk::pictures

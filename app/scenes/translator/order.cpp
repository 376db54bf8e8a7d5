// The parameters of the launch, and what the driver does with them.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/pictures/text.h"
#include "app/scenes/translator/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float least_drawing = 26;  // lower ones are left out
constexpr float narrow_card = 160;
constexpr int most_meaning_lines = 4;

// Draws cells in rows, as large as the box allows. Cells that would be smaller than a pixel are merged.
void paint_mosaic(Canvas& canvas, const Box& box, std::int64_t columns, std::int64_t rows, ImU32 colour) {
  constexpr float largest = 12, least = 3;
  const auto drawn_columns =
      static_cast<std::int64_t>(std::min(static_cast<float>(columns), std::floor(box.width / least)));
  const auto drawn_rows = static_cast<std::int64_t>(std::min(static_cast<float>(rows), std::floor(box.height / least)));
  if (drawn_columns < 1 || drawn_rows < 1) return;
  const float cell =
      std::min({largest, box.width / static_cast<float>(drawn_columns), box.height / static_cast<float>(drawn_rows)});
  const float gap = cell >= 5 ? 2 : 1;
  for (std::int64_t row = 0; row < drawn_rows; ++row)
    for (std::int64_t column = 0; column < drawn_columns; ++column)
      canvas.fill(
          {box.x + static_cast<float>(column) * cell, box.y + static_cast<float>(row) * cell, cell - gap, cell - gap},
          colour, cell >= 8 ? 2.0f : 0.0f);
}

// Draws what the value of a card means: blocks, lanes of warps, a share of the shared memory, or parameters.
void paint_mark(Canvas& canvas, const Box& box, const story::OrderPane::Card& card, float amount) {
  using Mark = story::OrderPane::Mark;
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.panel, amount); };
  switch (card.mark) {
    case Mark::none: break;
    case Mark::grid: paint_mosaic(canvas, box, card.x, std::max<std::int64_t>(1, card.y), faded(theme.done)); break;
    case Mark::block:
      paint_mosaic(canvas, box, std::min<std::int64_t>(32, card.x), (card.x + 31) / 32, faded(theme.done));
      break;
    case Mark::shared: {
      const Box bar = {box.x, box.y + 2, box.width, std::min(16.0f, box.height - 2)};
      const float part = static_cast<float>(card.x) / static_cast<float>(card.y);
      canvas.fill(bar, faded(theme.ground), 3);
      canvas.fill({bar.x, bar.y, std::max(2.0f, bar.width * std::min(1.0f, part)), bar.height}, faded(theme.shared), 3);
      canvas.outline(bar, faded(theme.line), 3, theme.hairline);
      break;
    }
    case Mark::pointers: paint_mosaic(canvas, box, card.x, 1, faded(theme.memory)); break;
  }
}

const std::string& value_of(const story::OrderPane::Card& card) {
  return card.value.empty() ? card.missing : card.value;
}

// Whether not all of the card's text fits at the usual distances.
bool lacks_room(const Canvas& canvas, const Box& box, const story::OrderPane::Card& card) {
  const auto lines = canvas.wrapped(Style::label, card.meaning, box.width - 24, most_meaning_lines).size();
  return (value_of(card).empty() ? 38.0f : 66.0f) +
             1.2f * canvas.line_height(Style::label) * static_cast<float>(lines) >
         box.height;
}

// The texts of a `low` card are closer together, and begin further left if it is narrow, too.
void paint_card(Canvas& canvas, draw::Ui* ui, const Box& box, const story::OrderPane::Card& card, float amount,
                bool low) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, amount); };
  canvas.fill(box, faded(theme.panel), 6);
  canvas.outline(box, faded(theme.line), 6, theme.hairline);
  const std::string& value = value_of(card);
  const float line = canvas.line_height(Style::label) * 1.2f;
  const float pad = low && box.width < narrow_card ? 8 : 12, width = box.width - 2 * pad;
  const Style head = canvas.text_width(Style::small_caps, card.name) <= width ? Style::small_caps : Style::label;
  canvas.text({box.x + pad, box.y + (low ? 6.0f : 10.0f)}, head, faded(theme.second), card.name, width);
  float y = box.y + (low ? 25.0f : 32.0f);
  if (!value.empty()) {
    const Style style = card.value.empty()                                    ? Style::label
                        : canvas.text_width(Style::mono, card.value) <= width ? Style::mono
                                                                              : Style::mono_small;
    pictures::paint_cut(canvas, ui, {box.x + pad, y, width, 24}, style,
                        faded(card.value.empty() ? theme.faint : theme.text), value);
    y += low ? 25.0f : 28.0f;
  }
  const float text = line * static_cast<float>(canvas.wrapped(Style::label, card.meaning, width, 3).size());
  const float drawing = box.bottom() - 14 - text - y;
  if (card.mark != story::OrderPane::Mark::none && drawing >= least_drawing) {
    paint_mark(canvas, {box.x + pad, y, width, drawing - 8}, card, amount);
    y += drawing;
  }
  const int lines = std::min(static_cast<int>((box.bottom() - (low ? 2 : 6) - y) / line), most_meaning_lines);
  if (lines > 0) canvas.paragraph({box.x + pad, y}, Style::label, faded(theme.second), card.meaning, width, lines);
  if (ui != nullptr) {
    ui->point(box, std::string(card.name).append(" ").append(card.meaning));
    if (ui->hovered(box) && !card.value.empty())
      ui->tooltip(pictures::figure_tip(*ui, card.name, story::Figure::recorded(card.value, card.origin)));
  }
}

void paint_cards(Canvas& canvas, draw::Ui* ui, const Box& box, const std::vector<story::OrderPane::Card>& cards,
                 double progress, double from, double to, float shown) {
  const float between = 16;
  const auto count = static_cast<float>(std::max<std::size_t>(cards.size(), 1));
  const float width = std::min((box.width - between * (count - 1)) / count, 340.0f);
  const auto place_of = [&](std::size_t i) {
    return Box{box.x + static_cast<float>(i) * (width + between), box.y, width, box.height};
  };
  const bool low = std::ranges::any_of(
      cards, [&](const story::OrderPane::Card& card) { return lacks_room(canvas, place_of(0), card); });
  for (std::size_t i = 0; i < cards.size(); ++i) {
    // Fade in one card after another.
    const double share = (to - from) / static_cast<double>(cards.size());
    const double start = from + share * static_cast<double>(i);
    const auto amount = static_cast<float>(std::clamp((progress - start) / share, 0.0, 1.0));
    if (amount <= 0) continue;
    paint_card(canvas, ui, place_of(i), cards[i], shown * amount, low);
  }
}

}  // namespace

void paint_order_pane(Canvas& canvas, draw::Ui* ui, const Box& box, const story::OrderPane& pane, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const Style style = canvas.text_width(Style::mono, pane.command) <= box.width ? Style::mono : Style::mono_small;
  pictures::paint_cut(canvas, ui, {box.x, box.y, box.width, 26}, style, faded(theme.text), pane.command);
  canvas.line({box.x, box.y + 30}, {box.right(), box.y + 30}, faded(theme.launch), 2);
  const float top = box.y + 44, head = 40;
  // The cards of the launch take the room that those of the driver leave.
  const float half = (box.bottom() - top - head) / 2;
  const float low = std::clamp(half, 60.0f, 104.0f);
  const float height = std::clamp(box.bottom() - top - head - low, low, 168.0f);
  paint_cards(canvas, ui, {box.x, top, box.width, height}, pane.cards, pane.progress, 0, 0.7, shown);
  const float below = top + height + 14;
  if (pane.progress < 0.7 || below + 60 > box.bottom()) return;
  canvas.text({box.x, below}, Style::small_caps, faded(theme.second), pane.head_driver, box.width);
  paint_cards(canvas, ui, {box.x, below + 26, box.width, std::min(low, box.bottom() - below - 28)}, pane.driver,
              pane.progress, 0.7, 1, shown);
}

}  // namespace warpwalk::scenes

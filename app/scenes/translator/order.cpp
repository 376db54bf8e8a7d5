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

void paint_card(Canvas& canvas, draw::Ui* ui, const Box& box, const story::OrderPane::Card& card, float amount) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, amount); };
  canvas.fill(box, faded(theme.panel), 6);
  canvas.outline(box, faded(theme.line), 6, theme.hairline);
  const float pad = 12, width = box.width - 2 * pad;
  canvas.text({box.x + pad, box.y + 10}, Style::small_caps, faded(theme.second), card.name, width);
  float y = box.y + 32;
  const std::string& value = card.value.empty() ? card.missing : card.value;
  if (!value.empty()) {
    const Style style = card.value.empty()                                    ? Style::label
                        : canvas.text_width(Style::mono, card.value) <= width ? Style::mono
                                                                              : Style::mono_small;
    pictures::paint_cut(canvas, ui, {box.x + pad, y, width, 24}, style,
                        faded(card.value.empty() ? theme.faint : theme.text), value);
    y += 28;
  }
  const float line = canvas.line_height(Style::label) * 1.2f;
  const float text = line * static_cast<float>(canvas.wrapped(Style::label, card.meaning, width, 3).size());
  const float drawing = box.bottom() - 14 - text - y;
  if (card.mark != story::OrderPane::Mark::none && drawing >= least_drawing) {
    paint_mark(canvas, {box.x + pad, y, width, drawing - 8}, card, amount);
    y += drawing;
  }
  const int lines = static_cast<int>((box.bottom() - 6 - y) / line);
  if (lines > 0)
    canvas.paragraph({box.x + pad, y}, Style::label, faded(theme.second), card.meaning, width, std::min(lines, 4));
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
  for (std::size_t i = 0; i < cards.size(); ++i) {
    // Fade in one card after another.
    const double share = (to - from) / static_cast<double>(cards.size());
    const double start = from + share * static_cast<double>(i);
    const auto amount = static_cast<float>(std::clamp((progress - start) / share, 0.0, 1.0));
    if (amount <= 0) continue;
    paint_card(canvas, ui, {box.x + static_cast<float>(i) * (width + between), box.y, width, box.height}, cards[i],
               shown * amount);
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

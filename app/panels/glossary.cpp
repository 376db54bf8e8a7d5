#include "app/panels/glossary.h"

#include <algorithm>

#include "app/panels/sheet.h"

namespace warpwalk::panels {

using draw::Box;
using draw::Style;

namespace {

constexpr float glossary_width = 820, term_room = 190, max_height = 560;

float entry_height(const draw::Canvas& canvas, const story::GlossaryEntry& entry, float width) {
  const auto lines = canvas.wrapped(Style::label, entry.meaning, width - term_room, 4).size();
  return static_cast<float>(lines) * 1.2f * canvas.line_height(Style::label) + 14;
}

// High enough for all entries, up to max_height, so that part of the stage stays visible.
float entry_height(const draw::Canvas& canvas, const std::vector<const story::GlossaryEntry*>& entries) {
  float height = 30;
  for (const story::GlossaryEntry* entry : entries) height += entry_height(canvas, *entry, glossary_width);
  return std::min(height, max_height);
}

}  // namespace

void glossary(draw::Ui& ui, const std::vector<const story::GlossaryEntry*>& entries, std::size_t& scroll) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const Box box = sheet(ui, glossary_width, entry_height(canvas, entries), ui.word("glossary_sheet", "heading"),
                        ui.word("glossary_sheet", "closing"));
  std::size_t move = 0, back = 0;
  for (const draw::KeyPress& press : ui.input().keys) {
    move += press.key == draw::Key::down;
    back += press.key == draw::Key::up;
  }
  if (ui.input().wheel < 0) ++move;
  if (ui.input().wheel > 0) ++back;
  scroll = std::min(scroll + move, entries.empty() ? 0 : entries.size() - 1);
  scroll -= std::min(scroll, back);
  if (entries.empty())
    canvas.text({box.x, box.y}, Style::label, theme.second, ui.word("glossary_sheet", "none"), box.width);
  float y = box.y;
  std::size_t shown = scroll;
  for (; shown < entries.size(); ++shown) {
    const float height = entry_height(canvas, *entries[shown], box.width);
    if (y + height > box.bottom() - 20) break;
    canvas.text({box.x, y}, Style::heading, theme.text, entries[shown]->term, term_room - 16);
    canvas.paragraph({box.x + term_room, y + 1}, Style::label, theme.second, entries[shown]->meaning,
                     box.width - term_room, 4);
    y += height;
  }
  if (shown < entries.size())
    canvas.text({box.right(), box.bottom() - 14}, Style::label, theme.second,
                ui.word("glossary_sheet", "more", {{"n", std::to_string(entries.size() - shown)}}), 300,
                draw::Align::right);
}

float glossary_note(draw::Canvas& canvas, const Box& box, const std::vector<const story::GlossaryEntry*>& entries) {
  const draw::Theme& theme = canvas.theme();
  constexpr std::size_t limit = 2;
  constexpr float pad = 20;
  const float width = box.width - 2 * pad;
  float height = 0;
  const std::size_t count = std::min(entries.size(), limit);
  const float step = 1.2f * canvas.line_height(Style::label);
  std::vector<float> heights;
  for (std::size_t i = 0; i < count; ++i) {
    heights.push_back(
        26 + step * static_cast<float>(canvas.wrapped(Style::label, entries[i]->meaning, width, 8).size()) + 10);
    height += heights.back();
  }
  if (height == 0) return 0;
  height += 14;
  float y = box.bottom() - height;
  canvas.fill({box.x + 1, y, box.width - 1, height}, theme.panel);
  canvas.line({box.x + pad, y}, {box.right() - pad, y}, theme.line, theme.hairline);
  y += 14;
  for (std::size_t i = 0; i < count; ++i) {
    canvas.text({box.x + pad, y}, Style::heading, theme.text, entries[i]->term, width);
    canvas.paragraph({box.x + pad, y + 26}, Style::label, theme.second, entries[i]->meaning, width, 8);
    y += heights[i];
  }
  return height;
}

}  // namespace warpwalk::panels

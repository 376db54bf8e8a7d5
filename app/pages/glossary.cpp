#include "app/pages/glossary.h"

#include <algorithm>

#include "app/panels/sheet.h"
#include "core/story/transcript.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Style;

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

bool GlossaryPage::open(Action) {
  scroll_ = 0;
  return opened().document != nullptr;
}

void GlossaryPage::paint(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::vector<const story::GlossaryEntry*> entries =
      context().environment.glossary.terms_in(story::words_on(*opened().stage));
  const Box box = panels::sheet(ui, glossary_width, entry_height(canvas, entries), ui.word("glossary_sheet", "heading"),
                                ui.word("glossary_sheet", "closing"));
  std::size_t move = 0, back = 0;
  for (const draw::KeyPress& press : ui.input().keys) {
    move += press.key == draw::Key::down;
    back += press.key == draw::Key::up;
  }
  if (ui.input().wheel < 0) ++move;
  if (ui.input().wheel > 0) ++back;
  scroll_ = std::min(scroll_ + move, entries.empty() ? 0 : entries.size() - 1);
  scroll_ -= std::min(scroll_, back);
  if (entries.empty())
    canvas.text({box.x, box.y}, Style::label, theme.second, ui.word("glossary_sheet", "none"), box.width);
  float y = box.y;
  std::size_t at = scroll_;
  for (; at < entries.size(); ++at) {
    const float height = entry_height(canvas, *entries[at], box.width);
    if (y + height > box.bottom() - 20) break;
    canvas.text({box.x, y}, Style::heading, theme.text, entries[at]->term, term_room - 16);
    canvas.paragraph({box.x + term_room, y + 1}, Style::label, theme.second, entries[at]->meaning,
                     box.width - term_room, 4);
    y += height;
  }
  if (at < entries.size())
    canvas.text({box.right(), box.bottom() - 14}, Style::label, theme.second,
                ui.word("glossary_sheet", "more", {{"n", std::to_string(entries.size() - at)}}), 300,
                draw::Align::right);
}

}  // namespace warpwalk::pages

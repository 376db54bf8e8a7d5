#include "app/panels/facts.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/pictures/text.h"

namespace warpwalk::panels {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

namespace {

// Everything except the glossary, from the top down.
void list_facts(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage, std::size_t cursor) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel);
  canvas.line({box.x, box.y}, {box.x, box.bottom()}, theme.line, theme.hairline);
  const float pad = 20;
  const float left = box.x + pad;
  const float width = box.width - 2 * pad;
  float y = box.y + 24;
  canvas.text({left, y}, Style::small_caps, theme.second, stage.head_facts);
  y += 34;
  const bool by_keys = ui != nullptr && ui->focus_shown("facts");
  for (std::size_t n = 0; n < stage.facts.size(); ++n) {
    const story::Fact& fact = stage.facts[n];
    if (y + 66 > box.bottom() - 8) break;
    canvas.text({left, y}, Style::label, theme.second, fact.label, width);
    const std::string value = fact.figure.text();
    const std::string& word = stage.word_of(fact.figure.origin());
    const float tag = draw::paint_tag(canvas, box.right() - pad, y + 33, theme.second, word);
    const float room = width - tag - 10;
    // Long values are drawn smaller, not cut.
    const Style style = canvas.text_width(Style::figure, value) <= room ? Style::figure
                        : canvas.text_width(Style::mono, value) <= room ? Style::mono
                                                                        : Style::mono_small;
    const std::vector<std::string> lines = canvas.wrapped(style, value, room, 4);
    for (std::size_t i = 0; i < lines.size(); ++i)
      canvas.text_in({left, y + 19 + 19 * static_cast<float>(i), room, 28}, style, theme.text, lines[i]);
    const float height = lines.size() > 1 ? 42 + 19 * static_cast<float>(lines.size()) : 62;
    const Box place = {box.x, y, box.width, height};
    const bool here = by_keys && n == cursor;
    if (here) canvas.outline({box.x + 8, y - 4, box.width - 16, height - 4}, theme.text, 6, 1.5f);
    if (ui != nullptr && (here || ui->hovered(place))) {
      const std::string tip = pictures::figure_tip(*ui, fact.label, fact.figure);
      if (here)
        ui->tooltip_at(tip, {box.x - 60, y + height - 14});
      else
        ui->tooltip(tip);
      ui->point(place, std::string(fact.label).append(" ").append(word));
    }
    y += height;
  }
  if (stage.missing.empty()) return;
  y += 8;
  if (y + 60 > box.bottom()) return;
  canvas.text({left, y}, Style::small_caps, theme.second, stage.head_missing);
  y += 28;
  for (const std::string& missing : stage.missing) {
    if (y + 24 > box.bottom() - 8) break;
    const auto lines = static_cast<int>((box.bottom() - 8 - y) / (1.2f * canvas.line_height(Style::label)));
    const float height =
        canvas.paragraph({left, y}, Style::label, theme.second, missing, width, std::clamp(lines, 1, 6)) + 10;
    if (ui != nullptr) ui->point({box.x, y, box.width, height}, missing);
    y += height;
  }
}

// Explains the terms under the pointer, at the bottom of the box.
void paint_terms(Canvas& canvas, const Box& box, const std::vector<const story::GlossaryEntry*>& entries) {
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
  if (height == 0) return;
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
}

}  // namespace

void facts(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage, const story::Glossary* glossary,
           std::size_t* cursor) {
  if (ui != nullptr && cursor != nullptr) {
    constexpr std::size_t page = 4;
    *cursor = std::min(*cursor, stage.facts.empty() ? 0 : stage.facts.size() - 1);
    *cursor = ui->list("facts", box.inset(3), *cursor, stage.facts.size(), page, false);
  }
  list_facts(canvas, ui, box, stage, cursor == nullptr ? 0 : *cursor);
  if (ui == nullptr || glossary == nullptr || ui->pointed().empty()) return;
  paint_terms(canvas, box, glossary->terms_in(ui->pointed()));
}

void fact_line(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage) {
  constexpr std::size_t most = 3;
  constexpr float between = 28, gap = 8, tag_room = 26;
  const draw::Theme& theme = canvas.theme();
  const auto width_of = [&](const story::Fact& fact) {
    return canvas.text_width(Style::label, fact.label) + gap +
           canvas.text_width(Style::mono_small, fact.figure.text()) + gap +
           canvas.text_width(Style::small_caps, stage.word_of(fact.figure.origin())) + tag_room;
  };
  const float middle = box.y + box.height / 2;
  float x = box.x;
  for (std::size_t n = 0; n < std::min(stage.facts.size(), most); ++n) {
    const story::Fact& fact = stage.facts[n];
    const float width = width_of(fact);
    if (x + width > box.right()) return;
    const std::string& word = stage.word_of(fact.figure.origin());
    float at = x;
    at += canvas.text_in({at, box.y, width, box.height}, Style::label, theme.second, fact.label) + gap;
    at += canvas.text_in({at, box.y, width, box.height}, Style::mono_small, theme.text, fact.figure.text()) + gap;
    const float tag = canvas.text_width(Style::small_caps, word) + 18;
    draw::paint_tag(canvas, at + tag, middle, theme.second, word);
    const Box place = {x, box.y, width, box.height};
    if (ui != nullptr && ui->hovered(place)) {
      ui->tooltip(pictures::figure_tip(*ui, fact.label, fact.figure));
      ui->point(place, std::string(fact.label).append(" ").append(word));
    }
    x += width + between;
  }
}

}  // namespace warpwalk::panels

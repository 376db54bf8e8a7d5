#include "app/pages/start/start_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Key;
using draw::Style;

// Everything is on a grid of 8 units.
constexpr float page_margin = 40, widest = 1360, between = 24, card_pad = 16;
constexpr float page_head_height = 96, card_height = 88, least_tile_height = 56, list_row = 56, heading_height = 32;

constexpr int most_tile_lines = 4;

struct PlacedItem {
  enum class Kind : unsigned char { main_card, card, tile, row } kind;
  const StartItem* item;
  Box box;
};

struct Heading {
  const std::string* words;
  Box box;
};

struct StartLayout {
  std::vector<PlacedItem> items;  // in the order of the cursor
  std::vector<Heading> headings;
  float height = 0;  // of everything below the head
};

// As high as the longest text of the section needs, so that none is cut.
float tile_height_of(const draw::Canvas& canvas, const StartSection& section, float width) {
  std::size_t lines = 1;
  for (const StartItem& item : section.items)
    lines = std::max(lines, canvas.wrapped(Style::label, item.text, width - 2 * card_pad, most_tile_lines).size());
  const float needed =
      16 + 1.2f * (canvas.line_height(Style::body) + static_cast<float>(lines) * canvas.line_height(Style::label));
  return std::max(least_tile_height, std::ceil(needed / 8) * 8);
}

float add_section(StartLayout& layout, const draw::Canvas& canvas, const StartSection& section, Box at, bool wide) {
  if (section.items.empty()) return 0;
  layout.headings.push_back({&section.heading, {at.x, at.y, at.width, heading_height}});
  float y = at.y + heading_height;
  const std::size_t columns = wide ? 2 : 1;
  const float width = (at.width - 16 * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const float tile_height = tile_height_of(canvas, section, width);
  const float step = wide ? tile_height + 8 : list_row;
  for (std::size_t i = 0; i < section.items.size(); ++i) {
    const auto column = static_cast<float>(i % columns);
    // The text of a row is aligned with its heading.
    const Box box = wide ? Box{at.x + (width + 16) * column, y, width, tile_height}
                         : Box{at.x - card_pad, y, width + 2 * card_pad, list_row};
    layout.items.push_back({wide ? PlacedItem::Kind::tile : PlacedItem::Kind::row, &section.items[i], box});
    if (i % columns == columns - 1 || i + 1 == section.items.size()) y += step;
  }
  return y - at.y + between;
}

// Without scrolling: y is 0 at the upper edge of the cards.
StartLayout layout_of(const draw::Canvas& canvas, const StartContent& content, float left, float width) {
  StartLayout layout;
  // The main card is as wide as two others.
  const auto shares = static_cast<float>(content.cards.size() + 1);
  const float share = (width - 16 * (shares - 1)) / shares;
  float x = left;
  for (std::size_t i = 0; i < content.cards.size(); ++i) {
    const float wide = i == 0 ? 2 * share + 16 : share;
    layout.items.push_back(
        {i == 0 ? PlacedItem::Kind::main_card : PlacedItem::Kind::card, &content.cards[i], {x, 0, wide, card_height}});
    x += wide + 16;
  }
  const float top = card_height + between;
  const bool any_narrow = std::ranges::any_of(content.narrow, [](const auto& s) { return !s.items.empty(); });
  const float narrow = any_narrow ? std::floor(width / 4 / 8) * 8 : 0;
  const float wide = width - narrow - (any_narrow ? 2 * between : 0);
  float y = top, z = top;
  for (const StartSection& section : content.wide) y += add_section(layout, canvas, section, {left, y, wide, 0}, true);
  for (const StartSection& section : content.narrow)
    z += add_section(layout, canvas, section, {left + width - narrow, z, narrow - card_pad, 0}, false);
  layout.height = std::max(y, z);
  return layout;
}

// The item that lies nearest in the direction of the key; `at` if there is none.
std::size_t neighbour(const std::vector<PlacedItem>& items, std::size_t at, Key key) {
  const auto middle = [](const Box& box) { return draw::Point{box.x + box.width / 2, box.y + box.height / 2}; };
  const Box& from = items[at].box;
  std::size_t best = at;
  float least = 1e9f;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Box& to = items[i].box;
    const bool across = key == Key::left || key == Key::right;
    const float ahead = key == Key::right  ? to.x - from.right()
                        : key == Key::left ? from.x - to.right()
                        : key == Key::down ? to.y - from.bottom()
                                           : from.y - to.bottom();
    if (ahead < -1) continue;
    // How far the two do not face each other; the direction counts less than that.
    const float gap = across ? std::max({0.0f, to.y - from.bottom(), from.y - to.bottom()})
                             : std::max({0.0f, to.x - from.right(), from.x - to.right()});
    const float offset = across ? std::abs(middle(to).y - middle(from).y) : std::abs(middle(to).x - middle(from).x);
    const float cost = ahead + 8 * gap + 0.25f * offset;
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  return best;
}

// A key as it is printed on a keyboard. Returns its width.
float paint_key(draw::Canvas& canvas, float right, float middle, const std::string& key) {
  const draw::Theme& theme = canvas.theme();
  const float width = std::max(24.0f, canvas.text_width(Style::mono_small, key) + 16);
  const Box box = {right - width, middle - 12, width, 24};
  canvas.outline(box, theme.second, 4, theme.hairline);
  canvas.text_in(box, Style::mono_small, theme.second, key, draw::Align::centre);
  return width;
}

void paint_item(draw::Ui& ui, const PlacedItem& placed, bool at, bool over) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const StartItem& item = *placed.item;
  const Box& box = placed.box;
  const bool main = placed.kind == PlacedItem::Kind::main_card, row = placed.kind == PlacedItem::Kind::row;
  if (!row || over || at) canvas.fill(box, over || at ? draw::mixed(theme.second, theme.panel, 0.16f) : theme.panel, 6);
  if (at)
    canvas.outline(box, theme.text, 6, 2);
  else if (!row)
    canvas.outline(box, over ? theme.second : theme.line, 6, theme.hairline);
  float x = box.x + card_pad;
  float right = box.right() - card_pad;
  if (main) {  // play
    const draw::Point centre = {x + 28, box.y + box.height / 2};
    canvas.dot(centre, 28, theme.text);
    canvas.triangle({centre.x - 8, centre.y - 12}, {centre.x - 8, centre.y + 12}, {centre.x + 14, centre.y},
                    theme.panel);
    x += 56 + card_pad;
  }
  // Enter chooses the main card only while the cursor is there.
  if (!item.key.empty() && (!main || at))
    right -= paint_key(canvas, right, box.y + box.height / 2, item.key) + card_pad;
  const float text_width = right - x;
  // A title that does not fit is drawn smaller, not cut.
  const Style title = main                                                       ? Style::heading
                      : canvas.text_width(Style::body, item.title) <= text_width ? Style::body
                                                                                 : Style::label;
  const int lines = row ? 1 : placed.kind == PlacedItem::Kind::tile ? most_tile_lines : 2;
  const float step = 1.2f * canvas.line_height(Style::label);
  const auto wrapped = canvas.wrapped(Style::label, item.text, text_width, lines);
  const float title_height = canvas.line_height(title) * 1.2f;
  const float height = title_height + step * static_cast<float>(wrapped.size());
  float y = placed.kind == PlacedItem::Kind::tile ? box.y + 8 : box.y + (box.height - height) / 2;
  canvas.text({x, y}, title, theme.text, item.title, right - x);
  y += title_height;
  for (const std::string& line : wrapped) {
    canvas.text({x, y}, Style::label, theme.second, line, text_width);
    y += step;
  }
  const bool cut = canvas.wrapped(Style::label, item.text, text_width, 9).size() > wrapped.size() ||
                   canvas.text_width(title, item.title) > right - x;
  if (cut && over) ui.tooltip(item.title + ": " + item.text);
  if (cut && at && !over) ui.tooltip_at(item.title + ": " + item.text, {box.x + card_pad, box.bottom() - 16});
}

void paint_page_head(draw::Ui& ui, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.text({box.x, box.y}, Style::title, theme.text, ui.word("start", "heading"), box.width / 2);
  canvas.text({box.right(), box.y + 16}, Style::label, theme.second, ui.word("start", "closing"), box.width / 2,
              draw::Align::right);
  canvas.text({box.x, box.y + 48}, Style::sentence, theme.second, ui.word("start", "sentence"), box.width);
}

}  // namespace

const StartItem* start_view(draw::Ui& ui, const StartContent& content, StartState& state) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill({0, 0, canvas.width(), canvas.height()}, theme.ground);
  const float width = std::floor(std::min(canvas.width() - 2 * page_margin, widest) / 8) * 8;
  const float left = std::floor((canvas.width() - width) / 2);
  constexpr float foot = 40;
  const Box body = {0, page_margin + page_head_height, canvas.width(),
                    canvas.height() - page_margin - page_head_height - foot};
  StartLayout layout = layout_of(canvas, content, left, width);
  if (layout.items.empty()) return nullptr;
  state.cursor = std::min(state.cursor, layout.items.size() - 1);

  const StartItem* chosen = nullptr;
  const std::size_t before = state.cursor;
  for (const draw::KeyPress& press : ui.input().keys) {
    const std::size_t count = layout.items.size();
    if (press.key == Key::tab) state.cursor = (state.cursor + (press.shift ? count - 1 : 1)) % count;
    if (press.key == Key::left || press.key == Key::right || press.key == Key::up || press.key == Key::down)
      state.cursor = neighbour(layout.items, state.cursor, press.key);
    if (press.key == Key::home) state.cursor = 0;
    if (press.key == Key::end) state.cursor = count - 1;
    if (press.key == Key::enter || press.key == Key::space) chosen = layout.items[state.cursor].item;
  }
  const float furthest = std::max(0.0f, layout.height - between - body.height);
  state.scroll -= 64 * ui.wheel(body);
  if (std::exchange(state.reveals, false) || state.cursor != before) {
    const Box& box = layout.items[state.cursor].box;
    state.scroll = std::clamp(state.scroll, box.bottom() + 16 - body.height, std::max(0.0f, box.y - heading_height));
  }
  state.scroll = std::clamp(state.scroll, 0.0f, furthest);

  paint_page_head(ui, {left, page_margin, width, page_head_height});
  canvas.clip({0, body.y - 4, body.width, body.height + 4});
  for (const Heading& heading : layout.headings)
    canvas.text({heading.box.x, heading.box.y + body.y - state.scroll + 4}, Style::small_caps, theme.second,
                *heading.words, heading.box.width);
  for (std::size_t i = 0; i < layout.items.size(); ++i) {
    PlacedItem placed = layout.items[i];
    placed.box.y += body.y - state.scroll;
    if (placed.box.bottom() < body.y || placed.box.y > body.bottom()) continue;
    const bool over = ui.hovered(placed.box) && ui.hovered(body);
    paint_item(ui, placed, i == state.cursor, over);
    if (over && ui.input().mouse_pressed) {
      state.cursor = i;
      chosen = placed.item;
    }
  }
  canvas.unclip();
  if (furthest > 0) {
    const float bar = std::max(32.0f, body.height * body.height / layout.height);
    canvas.fill({left + width + 16, body.y + (body.height - bar) * state.scroll / furthest, 4, bar},
                draw::mixed(theme.second, theme.ground, 0.5f), 2);
  }
  canvas.text_in({left, canvas.height() - foot, width, foot}, Style::label, theme.second, ui.word("start", "keys"));
  return chosen;
}

}  // namespace warpwalk::pages

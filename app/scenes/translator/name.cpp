// The parts of a kernel's name, and a drawing of the work that it describes.
#include <algorithm>
#include <string>
#include <vector>

#include "app/scenes/translator/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float least_width_with_drawing = 640;

// Returns the offset of the next UTF-8 character.
std::size_t next_character(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u) ++at;
  return at;
}

// Draws the name part by part, on at most `max_lines` lines. Returns the height used.
float paint_whole(Canvas& canvas, const Box& box, const story::NamePane& pane, std::size_t progress, int hovered,
                  float shown, int max_lines) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const float line_height = 26;
  float x = box.x, y = box.y;
  int line = 1;
  for (std::size_t p = 0; p < pane.parts.size(); ++p) {
    const story::NamePane::Part& part = pane.parts[p];
    const bool lit = part.decoded && p < progress;
    const ImU32 colour = faded(static_cast<int>(p) == hovered ? theme.now : lit ? theme.text : theme.faint);
    for (std::size_t at = 0; at < part.text.size();) {
      // Take as many characters as fit on this line.
      std::size_t end = at;
      float width = 0;
      while (end < part.text.size()) {
        const std::size_t next = next_character(part.text, end);
        const float wider = canvas.text_width(Style::mono, std::string_view(part.text).substr(at, next - at));
        if (x + wider > box.right()) break;
        width = wider;
        end = next;
      }
      if (end == at) {
        if (line == max_lines || x == box.x) {
          canvas.text({std::min(x, box.right() - 14), y}, Style::mono, faded(theme.faint), "…");
          return y + line_height - box.y;
        }
        ++line;
        x = box.x;
        y += line_height;
        continue;
      }
      canvas.text({x, y}, Style::mono, colour, std::string_view(part.text).substr(at, end - at));
      if (lit) canvas.line({x, y + 21}, {x + width, y + 21}, faded(theme.shared), 2);
      x += width;
      at = end;
    }
  }
  return y + line_height - box.y;
}

}  // namespace

void paint_name_pane(Canvas& canvas, draw::Ui* ui, const Box& box, const story::NamePane& pane, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const auto progress = static_cast<std::size_t>(pane.progress * static_cast<double>(pane.parts.size()) + 0.5);

  const float line = canvas.line_height(Style::label) * 1.2f;
  float checks_height = 0;
  for (const std::string& check : pane.checks)
    checks_height += line * static_cast<float>(canvas.wrapped(Style::label, check, box.width - 24, 2).size()) + 8;

  float whole = 0;
  for (const auto& part : pane.parts) whole += canvas.text_width(Style::mono, part.text);
  const int max_lines = std::clamp(static_cast<int>(whole * 1.04f / box.width) + 1, 1, box.height > 300 ? 3 : 2);
  const float name_height = 26.0f * static_cast<float>(max_lines);
  std::size_t saying = 0;
  for (const auto& part : pane.parts) saying += !part.meaning.empty();
  const float list_top = box.y + name_height + 36;
  const float list_room = box.bottom() - list_top - checks_height;
  const float row = 26;
  const auto rows_room = static_cast<std::size_t>(std::max(1.0f, list_room / row));
  const auto decoded = static_cast<std::size_t>(
      std::ranges::count_if(pane.parts, [](const auto& part) { return part.decoded && !part.meaning.empty(); }));
  // The drawing takes the place of the second column. If there is not enough room, or nothing else to list, omit the
  // parts that are not decoded.
  const bool drawn = pane.blueprint && decoded <= rows_room && box.width > least_width_with_drawing;
  const bool all = !drawn && decoded > 0 && saying <= 2 * rows_room;
  std::vector<std::size_t> listed;
  for (std::size_t p = 0; p < pane.parts.size(); ++p)
    if (!pane.parts[p].meaning.empty() && (all || pane.parts[p].decoded)) listed.push_back(p);
  if (listed.size() > 2 * rows_room) listed.resize(2 * rows_room);

  const std::size_t columns = !drawn && (listed.size() > rows_room || listed.size() > 6) ? 2 : 1;
  const std::size_t column_rows = (listed.size() + columns - 1) / columns;
  const float step = std::clamp(list_room / static_cast<float>(std::max<std::size_t>(column_rows, 1)), row, 34.0f);
  const float list_width = !drawn ? box.width : decoded == 0 ? -36 : box.width * 0.52f;
  const float width = (list_width - 32 * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  float part_room = canvas.text_width(Style::small_caps, pane.head_part) + 24;
  for (const std::size_t p : listed)
    part_room = std::max(part_room, canvas.text_width(Style::mono_small, pane.parts[p].text) + 16);
  part_room = std::min(part_room, width * 0.44f);
  int hovered = -1;
  const auto place_of = [&](std::size_t i) {
    return Box{box.x + static_cast<float>(i / column_rows) * (width + 32),
               list_top + step * static_cast<float>(i % column_rows), width, step};
  };
  if (ui != nullptr)
    for (std::size_t i = 0; i < listed.size(); ++i)
      if (ui->hovered(place_of(i))) hovered = static_cast<int>(listed[i]);

  paint_whole(canvas, {box.x, box.y, box.width, name_height}, pane, progress, hovered, shown, max_lines);
  if (drawn) {
    const float left = box.x + list_width + 36;
    canvas.text({left, list_top - 26}, Style::small_caps, faded(theme.second), pane.head_blueprint, box.right() - left);
    canvas.line({left, list_top - 4}, {box.right(), list_top - 4}, faded(theme.line), theme.hairline);
    const auto come = static_cast<float>(std::clamp(2 * pane.progress - 1, 0.0, 1.0));
    paint_blueprint(canvas, {left, list_top + 8, box.right() - left, std::min(list_room - 16, 300.0f)}, *pane.blueprint,
                    shown * come);
  }
  for (std::size_t c = 0; c < columns && !listed.empty(); ++c) {
    const float x = box.x + static_cast<float>(c) * (width + 32);
    canvas.text({x, list_top - 26}, Style::small_caps, faded(theme.second), pane.head_part, part_room);
    canvas.text({x + part_room, list_top - 26}, Style::small_caps, faded(theme.second), pane.head_meaning,
                width - part_room);
    canvas.line({x, list_top - 4}, {x + width, list_top - 4}, faded(theme.line), theme.hairline);
  }
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const story::NamePane::Part& part = pane.parts[listed[i]];
    if (listed[i] >= progress) continue;
    const Box place = place_of(i);
    const bool on = static_cast<int>(listed[i]) == hovered;
    if (on) canvas.fill(place, faded(draw::mixed(theme.now, theme.ground, 0.12f)), 4);
    pictures::paint_cut(canvas, ui, {place.x, place.y, part_room - 12, step}, Style::mono_small,
                        faded(part.decoded ? theme.text : theme.faint), part.text);
    const Box meaning = {place.x + part_room, place.y, width - part_room, step};
    const std::string_view whole_part = canvas.whole_sentences(Style::label, part.meaning, meaning.width, 1);
    canvas.text_in(meaning, Style::label, faded(part.decoded ? theme.text : theme.faint), whole_part);
    if (ui != nullptr && ui->hovered(meaning) && whole_part != part.meaning) ui->tooltip(part.meaning);
    if (ui != nullptr) ui->point(place, part.meaning);
  }
  if (pane.progress < 1) return;
  float y = std::min(box.bottom() - checks_height + 4, list_top + step * static_cast<float>(column_rows) + 24);
  for (const std::string& check : pane.checks) {
    canvas.fill({box.x, y + 2, 3, line - 4}, faded(theme.shared));
    y += canvas.paragraph({box.x + 14, y}, Style::label, faded(theme.text), check, box.width - 24, 2) + 8;
  }
}

}  // namespace warpwalk::scenes

// The table of dispatch keys, and the possible targets of the dispatcher, drawn as doors.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/scenes/translator/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::Bit;

// Draws a bit of the dispatch key set: filled, empty, or a ring if the trace does not record it.
void paint_bit(Canvas& canvas, float x, float y, Bit bit, ImU32 on, ImU32 off, float amount) {
  const draw::Theme& theme = canvas.theme();
  const ImU32 rest = draw::mixed(off, theme.ground, 1);
  if (bit == Bit::on && amount > 0) {
    canvas.dot({x, y}, 5, draw::mixed(on, rest, amount));
  } else if (bit == Bit::maybe && amount > 0) {
    canvas.dot({x, y}, 5, draw::mixed(on, rest, amount));
    canvas.dot({x, y}, 3, theme.ground);
  } else {
    canvas.dot({x, y}, 2, rest);
  }
}

constexpr float shaft = 24;  // half its width

// Draws a row's gate in the shaft of the column "set". A key in the set closes it, so that the call stops there; its
// leaves are drawn back when the key is removed. `open`: 0 to 1.
void paint_gate(Canvas& canvas, float x, float y, Bit bit, float open, ImU32 on, ImU32 off) {
  const float leaf = shaft * (1 - 0.8f * open);
  const ImU32 colour = bit == Bit::off ? off : draw::mixed(off, on, open);
  const float thick = bit == Bit::on ? 3 : 1;  // a key that the trace does not record may be a gate
  canvas.line({x - shaft, y}, {x - shaft + leaf, y}, colour, thick);
  canvas.line({x + shaft - leaf, y}, {x + shaft, y}, colour, thick);
}

// The call, standing on a gate or falling.
void paint_call(Canvas& canvas, float x, float floor, float room, const std::string& name, float shown) {
  const draw::Theme& theme = canvas.theme();
  const float high = std::min(room - 5, 18.0f), wide = 2 * shaft - 8;
  const Box card = {x - wide / 2, floor - 2 - high, wide, high};
  canvas.fill(card, draw::mixed(theme.now, theme.ground, shown), 3);
  canvas.text_in(card, Style::mono_small, draw::mixed(theme.on_colour, theme.now, shown),
                 canvas.fitted(Style::mono_small, name, wide - 4), Align::centre);
}

struct KeyColumns {
  float key, first, second, third, function, set, does, does_room;
};

KeyColumns key_columns(const Box& box) {
  const float key_room = 148;
  const float source = std::clamp((box.width - key_room - 60 - 130) / 3, 46.0f, 78.0f);
  const float first = box.x + key_room;
  const float set = first + 3 * source;
  return {box.x + 8, first + source / 2, first + source * 1.5f, first + source * 2.5f, first,
          set + 26,  set + 60,           box.right() - set - 66};
}

void paint_doors(Canvas& canvas, draw::Ui* ui, const Box& box, const story::KeysPane& pane, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour, float amount = 1) { return draw::mixed(colour, theme.ground, amount * shown); };
  const float chips = 96;
  const auto count = static_cast<float>(pane.doors.size());
  const float height = std::clamp((box.height - chips) / count - 10, 34.0f, 84.0f);
  float y = box.y;
  for (const story::KeysPane::Door& door : pane.doors) {
    const Box place = {box.x, y, box.width, height};
    const auto open = static_cast<float>(door.open);
    canvas.fill(place, faded(theme.panel), 6);
    canvas.outline(place, faded(door.taken ? draw::mixed(theme.now, theme.line, open) : theme.line), 6,
                   door.taken && open > 0 ? 2 : theme.hairline);
    // Draw a doorway with an opening door.
    const float tall = height - 16;
    const Box frame = {place.x + 14, place.y + 8, tall * 0.62f, tall};
    canvas.fill(frame, faded(theme.ground));
    canvas.fill({frame.x, frame.y, frame.width * (1 - 0.8f * open), frame.height},
                faded(draw::mixed(door.taken ? theme.done : theme.host, theme.panel, door.taken ? 0.8f : 0.35f)));
    canvas.outline(frame, faded(theme.second, door.taken ? 1 : 0.6f), 0, 1);
    const float x = frame.right() + 16;
    const float line = canvas.line_height(Style::label);
    const float top = place.y + (height - 2.3f * line) / 2;
    canvas.text({x, top}, Style::mono_small, faded(door.taken ? theme.text : theme.faint), door.name,
                place.right() - x - 8);
    pictures::paint_cut(canvas, ui, {x, top + 1.2f * line, place.right() - x - 10, line}, Style::label,
                        faded(door.taken ? theme.second : theme.faint), door.meaning);
    if (ui != nullptr) ui->point(place, std::string(door.name).append(" ").append(door.meaning));
    y += height + 10;
  }
  if (pane.instances.empty()) return;
  y += 6;
  canvas.text({box.x, y}, Style::small_caps, faded(theme.second), pane.head_instances, box.width);
  y += 24;
  float x = box.x;
  for (const auto& [dtype, chosen] : pane.instances) {
    const float width = canvas.text_width(Style::mono_small, dtype) + 14;
    if (x + width > box.right()) {
      x = box.x;
      y += 28;
    }
    if (y + 24 > box.bottom()) return;
    const Box chip = {x, y, width, 24};
    if (chosen) canvas.fill(chip, faded(draw::mixed(theme.now, theme.ground, 0.2f)), 5);
    canvas.outline(chip, faded(chosen ? theme.now : theme.line), 5, theme.hairline);
    canvas.text_in(chip, Style::mono_small, faded(chosen ? theme.text : theme.second), dtype, Align::centre);
    if (ui != nullptr && ui->hovered(chip)) ui->tooltip(pane.instances_note);
    x += width + 6;
  }
}

void paint_legend(Canvas& canvas, const Box& box, const story::KeysPane& pane, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  float y = box.y;
  for (const auto& [head, words] : pane.legend) {
    const float line = canvas.line_height(Style::label) * 1.2f;
    if (y + line * 2 > box.bottom()) return;
    canvas.text({box.x, y}, Style::mono_small, faded(theme.text), head, box.width);
    y += line + 2;
    const int room = static_cast<int>((box.bottom() - y) / line);
    y += canvas.paragraph({box.x, y}, Style::label, faded(theme.second), words, box.width, std::min(room, 5)) + 10;
  }
}

}  // namespace

void paint_keys_pane(Canvas& canvas, draw::Ui* ui, const Box& box, const story::KeysPane& pane, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour, float amount = 1) { return draw::mixed(colour, theme.ground, amount * shown); };
  // The side panel explains the columns, then shows the doors. A narrow table shrinks only for the doors.
  const bool wide = box.width > 840;
  const auto functions = static_cast<float>(pane.functions_shown);
  const float side = std::clamp(box.width * 0.3f, 200.0f, 420.0f);
  const float between = wide ? 32 : 20;
  const Box table = {box.x, box.y, box.width - (side + between) * (wide ? 1 : functions), box.height};
  const float head = 26;

  // If there is little room, omit the rows of keys that are not in the set.
  std::vector<std::size_t> rows;
  const float least = 19;
  const bool all = (table.height - head - 22) / static_cast<float>(std::max<std::size_t>(pane.rows.size(), 1)) >= least;
  for (std::size_t r = 0; r < pane.rows.size(); ++r)
    if (all || pane.rows[r].key.set != Bit::off) rows.push_back(r);
  const float height =
      std::clamp((table.height - head - 22) / static_cast<float>(std::max<std::size_t>(rows.size(), 1)), least, 30.0f);

  const KeyColumns at = key_columns(table);
  const ImU32 second = faded(theme.second);
  const float y0 = table.y + 2;
  canvas.text({at.key, y0}, Style::small_caps, second, pane.head_key, at.first - at.key - 30);
  if (pane.sources && functions < 1) {
    const ImU32 colour = faded(theme.second, 1 - functions);
    canvas.text({at.first, y0}, Style::label, colour, pane.head_tensors, at.second - at.first - 4, Align::centre);
    canvas.text({at.second, y0}, Style::label, colour, pane.head_adds, at.second - at.first - 4, Align::centre);
    canvas.text({at.third, y0}, Style::label, colour, pane.head_removes, at.second - at.first - 4, Align::centre);
  }
  if (functions > 0)
    canvas.text({at.function, y0}, Style::small_caps, faded(theme.second, functions), pane.head_function, 180);
  canvas.text({at.set, y0}, Style::label, second, pane.head_set, 60, Align::centre);
  canvas.text({at.does, y0}, Style::small_caps, second, pane.head_does, at.does_room);
  canvas.line({table.x, table.y + head - 3}, {table.right(), table.y + head - 3}, faded(theme.line), theme.hairline);

  const auto tensors = static_cast<float>(pane.tensors_shown), thread = static_cast<float>(pane.thread_shown),
             set = static_cast<float>(pane.set_shown);
  float cursor_y = -1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const story::KeysPane::Row& row = pane.rows[rows[i]];
    const story::KeyRow& key = row.key;
    const Box place = {table.x, table.y + head + height * static_cast<float>(i), table.width, height};
    const float middle = place.y + height / 2;
    const auto passed = static_cast<float>(row.passed);
    const bool in = key.set != Bit::off;
    const float strength = 1 - 0.35f * passed;
    const float known = std::max(set, in ? 0.65f : 1.0f);
    if (key.turn > 0 && set >= 1)
      canvas.fill({place.x, place.y + 1, place.width, height - 2},
                  faded(draw::mixed(theme.now, theme.ground, 0.10f * (1 - 0.7f * passed))), 4);
    pictures::paint_cut(canvas, ui, {at.key, place.y, at.function - at.key - 6, height}, Style::mono_small,
                        faded(key.turn > 0 ? theme.text
                              : in         ? theme.second
                                           : theme.faint,
                              strength * known),
                        key.key);
    if (pane.sources && functions < 1) {
      const float amount = shown * (1 - functions);
      const ImU32 off = draw::mixed(theme.line, theme.ground, amount);
      paint_bit(canvas, at.first, middle, key.tensors, faded(theme.memory, 1 - functions), off, tensors);
      paint_bit(canvas, at.second, middle, key.adds, faded(theme.done, 1 - functions), off, thread);
      paint_bit(canvas, at.third, middle, key.removes, faded(theme.launch, 1 - functions), off, thread);
    }
    if (functions > 0 && !key.function.empty())
      pictures::paint_cut(canvas, ui, {at.function, place.y, at.set - at.function - 22, height}, Style::mono_small,
                          faded(key.turn > 0 ? theme.text : theme.faint, functions), key.function);
    // A key without a function for this op lets the call through.
    const float gone =
        key.turn > 0 ? passed : std::clamp(static_cast<float>(pane.cursor) - static_cast<float>(rows[i]), 0.0f, 1.0f);
    paint_gate(canvas, at.set, place.bottom() - 2, key.turn > 0 || !in ? key.set : Bit::maybe,
               in ? 1 - set * (1 - gone) : 1, faded(theme.text), faded(theme.faint, 0.6f));
    if (in && set > 0)
      pictures::paint_cut(canvas, ui, {at.does, place.y, at.does_room, height}, Style::label,
                          faded(key.turn > 0 ? theme.text : theme.second, set * strength), row.does);
    if (pane.cursor >= 0 && std::floor(pane.cursor) == static_cast<double>(rows[i])) {
      const float on = static_cast<float>(pane.cursor - std::floor(pane.cursor));
      const std::size_t next = std::min(i + 1, rows.size() - 1);
      cursor_y = place.y + height * on * static_cast<float>(next - i);
    }
    if (ui != nullptr) ui->point(place, std::string(key.key).append(" ").append(row.does));
  }
  if (pane.cursor >= 0 && cursor_y < 0) {  // the cursor's row is not drawn: use the nearest row above
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (static_cast<double>(rows[i]) <= pane.cursor) cursor_y = table.y + head + height * static_cast<float>(i);
  }
  const float bottom = table.y + head + height * static_cast<float>(rows.size());
  for (const float x : {at.set - shaft, at.set + shaft})
    canvas.line({x, table.y + head}, {x, bottom}, faded(theme.faint, 0.6f), theme.hairline);
  if (cursor_y >= 0) {
    canvas.outline({table.x, cursor_y, table.width, height}, faded(theme.now), 5, 2);
    paint_call(canvas, at.set, cursor_y + height - 2, height, pane.call, shown);
  }
  if (bottom + 22 <= table.bottom() + 1)
    pictures::paint_cut(canvas, ui, {table.x + 8, bottom + 2, table.width - 8, 20}, Style::label,
                        faded(pane.set_by_person ? theme.now : theme.faint),
                        pane.set_by_person ? pane.what_if : pane.note);

  const Box right = {box.right() - side, box.y, side, box.height};
  if (wide && functions < 1) paint_legend(canvas, right, pane, shown * (1 - functions));
  if (functions > 0) paint_doors(canvas, ui, right, pane, shown * functions);
}

}  // namespace warpwalk::scenes

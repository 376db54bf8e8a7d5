// Ranks as rows over one clock, and collectives as gates that open when the last rank comes.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/pictures/axis.h"
#include "app/scenes/paint.h"
#include "core/story/scenes/ranks/picture.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::GateBar;

constexpr float names_width = 92;    // of the ranks
constexpr float causes_width = 236;  // beside the rows
constexpr float gate_labels = 26;    // over the rows
constexpr float gate_axis_room = 36, gate_foot = 44;
constexpr float tallest_gate_row = 110, lowest_gate_row = 9;
constexpr float gate_reach = 5;  // of the pointer, on each side of a gate

struct BarPaint {
  ImU32 fill, edge;
  bool hatched = false;
};

BarPaint paint_of(GateBar::Kind kind, const draw::Theme& theme) {
  switch (kind) {
    case GateBar::Kind::work: return {draw::mixed(theme.done, theme.ground, 0.45f), theme.done};
    case GateBar::Kind::idle: return {draw::mixed(theme.host, theme.ground, 0.16f), theme.host};
    case GateBar::Kind::waiting: return {draw::mixed(theme.barrier, theme.ground, 0.16f), theme.barrier, true};
    case GateBar::Kind::transfer: return {draw::mixed(theme.memory, theme.ground, 0.9f), theme.memory};
  }
  return {theme.guide, theme.line};
}

void paint_stretch(Canvas& canvas, const Box& box, const BarPaint& paint) {
  canvas.fill(box, paint.fill, 2);
  if (paint.hatched && box.width > 3) canvas.hatch(box, draw::mixed(paint.edge, canvas.theme().ground, 0.75f), true);
  if (box.width > 5) canvas.outline(box, draw::mixed(paint.edge, canvas.theme().ground, 0.7f), 2, 1);
}

// The places of the rows and the common axis.
struct GateField {
  pictures::Axis axis;
  float top = 0, row_height = 0;
  float sweep = 0;  ///< x of the moment until which bars are drawn

  Box row(std::size_t i) const {
    return {axis.left, top + row_height * static_cast<float>(i), axis.right - axis.left, row_height};
  }
  float x(std::int64_t ns) const { return std::clamp(axis.x(static_cast<double>(ns)), axis.left, axis.right); }
};

Box bar_box(const GateField& field, const Box& row, const story::GateRow& of, const GateBar& bar) {
  const float gap = row.height > 24 ? 5.0f : 1.5f;
  const float lane = (row.height - 2 * gap) / static_cast<float>(of.lanes);
  const float left = field.x(bar.from), right = std::min(field.x(bar.to), field.sweep);
  return {left, row.y + gap + lane * static_cast<float>(bar.lane), std::max(right - left, 1.0f),
          std::max(lane - (of.lanes > 1 ? 1.0f : 0.0f), 1.0f)};
}

void paint_gate_row(Canvas& canvas, draw::Ui* ui, const GateField& field, const story::GateRow& row, const Box& place,
                    pictures::Touch& touch) {
  const draw::Theme& theme = canvas.theme();
  canvas.line({place.x, place.bottom()}, {place.right(), place.bottom()}, theme.guide, theme.hairline);
  for (const GateBar& bar : row.bars) {
    if (field.x(bar.from) >= field.sweep || field.x(bar.to) <= field.axis.left) continue;
    const Box box = bar_box(field, place, row, bar);
    paint_stretch(canvas, box, paint_of(bar.kind, theme));
    // What the last rank did before it came.
    const bool before = bar.kind == GateBar::Kind::work || bar.kind == GateBar::Kind::idle;
    if (row.late && bar.followed && before && box.width > 6) canvas.outline(box, theme.now, 3, 2);
    if (ui == nullptr || !ui->hovered(box)) continue;
    ui->point(box, bar.tip);
    ui->tooltip(bar.tip);
    if (ui->input().mouse_pressed && bar.target) touch.rank = bar.target;
  }
}

// The posts of a gate in the rows of its ranks: whole while it is closed; they part as it opens.
void paint_gate(Canvas& canvas, const GateField& field, const story::Gate& gate) {
  const draw::Theme& theme = canvas.theme();
  const float x = field.x(gate.at);
  const ImU32 colour = gate.followed ? theme.now : theme.text;
  const float thickness = gate.followed ? 3.0f : 1.5f;
  canvas.line({x, field.top - 4}, {x, field.top}, colour, thickness);
  for (const std::size_t i : gate.rows) {
    const Box row = field.row(i);
    const float stub = std::min(4.0f, row.height / 4);
    const float half = stub + (row.height / 2 - stub) * (1 - static_cast<float>(gate.open));
    canvas.line({x, row.y}, {x, row.y + half}, colour, thickness);
    canvas.line({x, row.bottom() - half}, {x, row.bottom()}, colour, thickness);
    if (gate.open > 0.5)
      canvas.dashed({x, row.y + half}, {x, row.bottom() - half}, draw::mixed(colour, theme.ground, 0.35f), 1);
  }
}

// The names over the gates, as far as they do not meet; the followed one first.
void paint_gate_labels(Canvas& canvas, const GateField& field, const story::GatesPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  std::vector<std::pair<float, float>> taken;
  for (const bool followed : {true, false})
    for (const story::Gate& gate : picture.gates) {
      if (gate.followed != followed) continue;
      const float width = canvas.text_width(Style::mono_small, gate.label);
      const float left = std::clamp(field.x(gate.at) - width / 2, field.axis.left,
                                    std::max(field.axis.left, field.axis.right - width));
      const auto meets = [&](const auto& other) { return left < other.second + 10 && left + width + 10 > other.first; };
      if (std::ranges::any_of(taken, meets)) continue;
      taken.emplace_back(left, left + width);
      canvas.text({left, field.top - gate_labels}, Style::mono_small, followed ? theme.now : theme.second, gate.label);
    }
}

void point_at_gates(draw::Ui& ui, const GateField& field, const story::GatesPicture& picture, pictures::Touch& touch) {
  for (const story::Gate& gate : picture.gates) {
    const Box handle = {field.x(gate.at) - gate_reach, field.top - gate_labels, 2 * gate_reach, gate_labels};
    if (!ui.hovered(handle)) continue;
    ui.point(handle, gate.tip);
    ui.tooltip(gate.tip);
    if (ui.input().mouse_pressed) touch.set.emplace_back(picture.control, gate.number);
    return;
  }
}

// The cause beside the row of the last rank.
void paint_cause(Canvas& canvas, draw::Ui* ui, const Box& row, const story::GateRow& of, pictures::Touch& touch) {
  const draw::Theme& theme = canvas.theme();
  const float line = canvas.line_height(Style::label), leading = 1.2f * line;  // of a paragraph
  const auto lines = static_cast<int>(canvas.wrapped(Style::label, of.cause, row.width - 24, 4).size());
  // In low rows, the text is higher than its row.
  const float height = line + leading * static_cast<float>(lines) + 12;
  const Box box = {row.x, row.y + (row.height - height) / 2, row.width, height};
  canvas.fill(box, theme.panel, 6);
  canvas.outline(box, theme.now, 6, 1.5f);
  canvas.text({box.x + 12, box.y + 6}, Style::label, theme.now, of.place, box.width - 24);
  canvas.paragraph({box.x + 12, box.y + 6 + line}, Style::label, theme.text, of.cause, box.width - 24, 4);
  if (ui == nullptr) return;
  ui->point(box, of.cause);
  if (of.target && ui->activated(fmt::format("cause.{}", of.rank), box)) touch.rank = of.target;
}

void paint_gate_legend(Canvas& canvas, const Box& box, const story::GatesPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  float x = box.right();
  for (auto entry = picture.legend.rbegin(); entry != picture.legend.rend(); ++entry) {
    x -= canvas.text({x, box.y}, Style::label, theme.second, entry->second, 400, Align::right) + 8;
    paint_stretch(canvas, {x - 14, box.y + 3, 14, 12}, paint_of(entry->first, theme));
    x -= 14 + 20;
  }
  canvas.text({box.x, box.y + 20}, Style::label, theme.second, picture.note, box.width);
}

}  // namespace

pictures::Touch paint_gates(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage&,
                            const story::GatesPicture& picture) {
  pictures::Touch touch;
  if (picture.rows.empty() || picture.to <= picture.from) return touch;
  const draw::Theme& theme = canvas.theme();
  const auto beside = [](const story::GateRow& row) { return !row.cause.empty() || !row.place.empty(); };
  const bool causes = std::ranges::any_of(picture.rows, beside);
  GateField field;
  field.axis = {static_cast<double>(picture.from), static_cast<double>(picture.to), box.x + names_width,
                box.right() - (causes ? causes_width + 16 : 0)};
  field.top = box.y + gate_labels + 4;
  const float room = box.bottom() - gate_axis_room - gate_foot - field.top;
  field.row_height = std::clamp(room / static_cast<float>(picture.rows.size()), lowest_gate_row, tallest_gate_row);
  field.sweep = field.axis.left + (field.axis.right - field.axis.left) * static_cast<float>(picture.swept);
  const float used = field.row_height * static_cast<float>(picture.rows.size());
  pictures::paint_axis(canvas, field.axis, field.top + used + 8, used + 8);
  for (std::size_t i = 0; i < picture.rows.size(); ++i) {
    const story::GateRow& row = picture.rows[i];
    const Box place = field.row(i);
    if (field.row_height >= canvas.line_height(Style::mono_small) - 5)
      canvas.text_in({box.x, place.y, names_width - 12, place.height}, Style::label,
                     row.late ? theme.now : theme.second, row.name, Align::right);
    paint_gate_row(canvas, ui, field, row, place, touch);
  }
  for (const story::Gate& gate : picture.gates)
    if (gate.at >= picture.from && gate.at <= picture.to) paint_gate(canvas, field, gate);
  paint_gate_labels(canvas, field, picture);
  if (ui != nullptr) point_at_gates(*ui, field, picture, touch);
  for (std::size_t i = 0; i < picture.rows.size(); ++i) {
    const Box place = field.row(i);
    if (beside(picture.rows[i]))
      paint_cause(canvas, ui, {field.axis.right + 16, place.y, causes_width, place.height}, picture.rows[i], touch);
  }
  paint_gate_legend(canvas, {box.x, std::min(field.top + used + 8 + gate_axis_room, box.bottom() - 38), box.width, 38},
                    picture);
  return touch;
}

}  // namespace warpwalk::scenes

// Chapter 1 of the tour: what is computed, and why on a GPU.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/elements/moment.h"
#include "core/story/facts/words/opening_line.h"
#include "core/story/scenes/tour/world.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t most_cells = 32;  // of a row or a column: more cannot be read

// A row of a, or a column of b, as cells with their values. `lit`: how many of them are there.
void draw_strip(Plane& plane, const Tour& s, std::size_t operand, const PlaneBox& at, double lit) {
  const std::int64_t count = std::min(s.product.k, most_cells);
  const double wide = at.width / static_cast<double>(count);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string value = operand == 0 ? s.element(0, s.number.at.row, i) : s.element(1, i, s.number.at.column);
    plane
        .box(fmt::format("{} {}", operand == 0 ? "a" : "b", i),
             {at.x + wide * static_cast<double>(i) + 0.5, at.y, wide - 1, at.height}, Tone::memory, value)
        .shown = part(lit, static_cast<double>(i) / static_cast<double>(2 * count),
                      static_cast<double>(i) / static_cast<double>(2 * count) + 0.5);
  }
}

}  // namespace

PlanePicture line_plane(const Tour& s, double phase) {
  Plane plane(world::sheets_view);
  plane.frame("memory", world::memory, Tone::memory);
  const world::Sheets sheets = world::sheets(s.product);
  draw_sheets(plane, s, "", part(phase, 0.2, 0.6));
  const double right = sheets.c.right() + 60, wide = world::sheets_view.right() - 24 - right;
  const double top = world::sheets_view.y + 30;
  const auto opening = opening_line(s.trace(), s.walk());
  plane.text("code line", {right, top, wide, 44}, opening ? opening->text() : s.number.name(), PlaneItem::Type::figure);
  const double own = part(phase, 0.4, 1);
  plane.text("sheet a name", {sheets.a.x - 46, sheets.a.bottom() + 4, 110, 40}, s.word("sheet_a"));
  plane.text("sheet b name", {sheets.b.x, sheets.b.y - 28, 260, 24}, s.word("sheet_b"));
  plane.text("sheet c name", {sheets.c.x, sheets.c.bottom() + 4, 260, 24}, s.word("sheet_c"));
  plane.text("row name", {right, top + 80, wide, 24}, s.word("row"));
  draw_strip(plane, s, 0, {right, top + 106, wide, 40}, own);
  plane.text("column name", {right, top + 166, wide, 24}, s.word("column"));
  draw_strip(plane, s, 1, {right, top + 192, wide, 40}, own);
  plane.text("asked name", {right, top + 270, wide - 100, 40}, s.word("asked"), PlaneItem::Type::body);
  plane.box("value", {right, top + 316, 90, 56}, Tone::followed, "?").type = PlaneItem::Type::figure;
  plane.text("value name", {right + 104, top + 324, wide - 104, 40}, s.number.name(), PlaneItem::Type::figure);
  return plane.take();
}

}  // namespace warpwalk::story

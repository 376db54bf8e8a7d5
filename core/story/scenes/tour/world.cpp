#include "core/story/scenes/tour/world.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::story::world {
namespace {

constexpr std::int64_t sms_across = 17;  // an SM then has the ratio of the window, to enter it
constexpr double sheet_gap = 12, sheet_margin = 44;

}  // namespace

PlaneBox sm(std::uint32_t number, std::int64_t count) {
  const std::int64_t across = std::min(sms_across, std::max<std::int64_t>(count, 1));
  const std::int64_t down = (std::max<std::int64_t>(count, 1) + across - 1) / across;
  const double wide = sms.width / static_cast<double>(across), high = sms.height / static_cast<double>(down);
  return PlaneBox{sms.x + wide * static_cast<double>(number % across),
                  sms.y + high * static_cast<double>(number / across), wide, high}
      .grown(-2.5);
}

PlaneBox block_on(const PlaneBox& sm, std::uint32_t slot, std::uint32_t slots) {
  const double wide = (sm.width - 8) / std::max(slots, 1u);
  return {sm.x + 4 + wide * slot + 1, sm.y + sm.height * 0.56, wide - 2, sm.height * 0.38};
}

PlaneBox on_way(const PlaneBox& from, const PlaneBox& to, double way) {
  return {from.x + (to.x - from.x) * way, from.y + (to.y - from.y) * way, from.width + (to.width - from.width) * way,
          from.height + (to.height - from.height) * way};
}

Sheets sheets(const MatrixProduct& product) {
  // b is over c and a is left of it, as they are multiplied. One scale for all three.
  const auto m = static_cast<double>(product.m), n = static_cast<double>(product.n), k = static_cast<double>(product.k);
  const double high = sheets_view.height - 2 * sheet_margin - sheet_gap, wide = sheets_view.width * 0.27 - sheet_gap;
  const double scale = std::min(high / (m + k), wide / (n + k));
  const double left = sheets_view.x + sheet_margin, top = sheets_view.y + sheet_margin;
  const PlaneBox c = {left + k * scale + sheet_gap, top + k * scale + sheet_gap, n * scale, m * scale};
  return {{left, c.y, k * scale, c.height}, {c.x, top, c.width, k * scale}, c};
}

PlaneBox on_c(const MatrixProduct& product, std::int64_t row, std::int64_t column, std::int64_t rows,
              std::int64_t columns) {
  const PlaneBox c = sheets(product).c;
  const double wide = c.width / static_cast<double>(product.n), high = c.height / static_cast<double>(product.m);
  return {c.x + wide * static_cast<double>(column), c.y + high * static_cast<double>(row),
          wide * static_cast<double>(std::min(columns, product.n - column)),
          high * static_cast<double>(std::min(rows, product.m - row))};
}

PlaneBox tile(const MatrixProduct& product, std::uint64_t block) {
  const std::int64_t across = std::max<std::int64_t>(product.across, 1);
  const auto number = static_cast<std::int64_t>(block);
  return on_c(product, number / across * product.tile_rows, number % across * product.tile_columns, product.tile_rows,
              product.tile_columns);
}

}  // namespace warpwalk::story::world

namespace warpwalk::story {

PlaneItem& Plane::add(PlaneItem item) { return picture_.items.emplace_back(std::move(item)); }

PlaneItem& Plane::box(std::string id, const PlaneBox& at, Tone tone, std::string text) {
  return add({.id = std::move(id), .kind = Kind::box, .box = at, .tone = tone, .text = std::move(text)});
}

PlaneItem& Plane::frame(std::string id, const PlaneBox& at, Tone tone, std::string text) {
  return add({.id = std::move(id), .kind = Kind::frame, .box = at, .tone = tone, .text = std::move(text)});
}

PlaneItem& Plane::text(std::string id, const PlaneBox& at, std::string text, Type type, Align align, Tone tone) {
  return add({.id = std::move(id),
              .kind = Kind::text,
              .box = at,
              .tone = tone,
              .text = std::move(text),
              .type = type,
              .align = align});
}

PlaneItem& Plane::line(std::string id, double x, double y, double to_x, double to_y, Tone tone) {
  return add({.id = std::move(id), .kind = Kind::line, .box = {x, y, to_x - x, to_y - y}, .tone = tone});
}

PlaneItem& Plane::arrow(std::string id, double x, double y, double to_x, double to_y, Tone tone) {
  return add({.id = std::move(id), .kind = Kind::arrow, .box = {x, y, to_x - x, to_y - y}, .tone = tone});
}

PlaneItem& Plane::cells(std::string id, const PlaneBox& at, int columns, std::vector<Tone> tones) {
  return add({.id = std::move(id), .kind = Kind::cells, .box = at, .columns = columns, .cells = std::move(tones)});
}

void draw_gpu(Plane& plane, const Tour& s, double shown) {
  plane.frame("gpu", world::gpu, Tone::quiet).shown = shown;
  plane.text("gpu name", {world::gpu.x + 20, world::gpu.y, 1200, 52}, s.word("gpu"), PlaneItem::Type::heading).shown =
      shown;
  plane.box("l2", world::l2, Tone::quiet).shown = shown;
  // The text is higher than the box, to fit in a smaller window.
  plane
      .text("l2 name",
            {world::l2.x, world::sms.bottom() + 1, world::l2.width, world::memory.y - world::sms.bottom() - 2},
            s.word("l2"), PlaneItem::Type::label, PlaneItem::Align::centre)
      .shown = shown;
  plane.frame("memory", world::memory, Tone::memory).shown = shown;
}

void draw_sheets(Plane& plane, const Tour& s, const std::string& cell, double shown) {
  draw_sheets(plane, s, world::sheets(s.product), cell, shown);
}

void draw_sheets(Plane& plane, const Tour& s, const world::Sheets& sheets, const std::string& cell, double shown) {
  const FollowedNumber& number = s.number;
  plane.box("sheet a", sheets.a, Tone::memory).shown = shown;
  plane.box("sheet b", sheets.b, Tone::memory).shown = shown;
  plane.frame("sheet c", sheets.c, Tone::memory).shown = shown;
  // A row of a and a column of b are thinner than a pixel here: their marks are not to scale.
  constexpr double least = 2.5;
  const double row_high = std::max(least, sheets.a.height / static_cast<double>(s.product.m));
  const double column_wide = std::max(least, sheets.b.width / static_cast<double>(s.product.n));
  const double row_y =
      sheets.a.y + sheets.a.height * (static_cast<double>(number.at.row) + 0.5) / static_cast<double>(s.product.m);
  const double column_x =
      sheets.b.x + sheets.b.width * (static_cast<double>(number.at.column) + 0.5) / static_cast<double>(s.product.n);
  plane.box("row of a", {sheets.a.x, row_y - row_high / 2, sheets.a.width, row_high}, Tone::followed).shown = shown;
  plane.box("column of b", {column_x - column_wide / 2, sheets.b.y, column_wide, sheets.b.height}, Tone::followed)
      .shown = shown;
  constexpr double mark = 7;
  plane.box("cell", {column_x - mark / 2, row_y - mark / 2, mark, mark}, Tone::followed, cell).shown = shown;
}

void draw_sms(Plane& plane, const Tour& s, bool numbered, double shown) {
  const auto count = s.sms();
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(count); ++i) {
    const PlaneBox at = world::sm(i, count);
    plane.frame(fmt::format("sm {}", i), at, i == s.sm ? Tone::followed : Tone::quiet).shown = shown;
    if (numbered)
      plane
          .text(fmt::format("sm {} name", i), at.part(0, 0.04, 1, 0.44), fmt::to_string(i), PlaneItem::Type::label,
                PlaneItem::Align::centre, Tone::quiet)
          .shown = shown;
  }
}

}  // namespace warpwalk::story

// A drawing of the work of one block or thread, as far as the kernel's name describes it.
#include <algorithm>

#include "app/scenes/translator/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float blueprint_label_room = 24;
constexpr float least_line_gap = 3;  // between lines of the mosaic; closer ones are left out

// Draws the result as tiles, one for each block, and the first one larger beside it.
void paint_tiles(Canvas& canvas, const Box& box, const story::NamePane::Blueprint& drawn, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const auto rows = static_cast<float>(drawn.rows), columns = static_cast<float>(drawn.columns);
  const float wide = box.width * 0.56f, high = box.height - blueprint_label_room;
  const float scale = std::min(wide / columns, high / rows);
  const Box result = {box.x, box.y, std::max(8.0f, columns * scale), std::max(8.0f, rows * scale)};
  canvas.fill(result, faded(draw::mixed(theme.done, theme.ground, 0.22f)));
  const float step_x = result.width * static_cast<float>(drawn.tile_columns) / columns;
  const float step_y = result.height * static_cast<float>(drawn.tile_rows) / rows;
  if (step_x >= least_line_gap)
    for (float x = result.x + step_x; x < result.right() - 1; x += step_x)
      canvas.line({x, result.y}, {x, result.bottom()}, faded(theme.ground), 1);
  if (step_y >= least_line_gap)
    for (float y = result.y + step_y; y < result.bottom() - 1; y += step_y)
      canvas.line({result.x, y}, {result.right(), y}, faded(theme.ground), 1);
  canvas.outline(result, faded(theme.done), 0, theme.hairline);
  const Box first = {result.x, result.y, std::max(4.0f, std::min(step_x, result.width)),
                     std::max(4.0f, std::min(step_y, result.height))};
  canvas.fill(first, faded(theme.now));
  canvas.text({result.x, result.bottom() + 4}, Style::label, faded(theme.text), drawn.result, wide + 20);

  const float left = std::min(box.x + wide, result.right() + std::max(50.0f, box.width * 0.08f)) + 10;
  const float room = std::min(box.right() - left, 260.0f);
  const auto tile_rows = static_cast<float>(drawn.tile_rows), tile_columns = static_cast<float>(drawn.tile_columns);
  const float larger = std::min(room / tile_columns, (high * 0.7f) / tile_rows);
  const Box tile = {left, result.y, tile_columns * larger, tile_rows * larger};
  canvas.line({first.right(), first.y}, {tile.x, tile.y}, faded(theme.second), 1);
  canvas.line({first.right(), first.bottom()}, {tile.x, tile.bottom()}, faded(theme.second), 1);
  canvas.fill(tile, faded(draw::mixed(theme.now, theme.ground, 0.2f)));
  canvas.outline(tile, faded(theme.now), 0, 1.5f);
  canvas.paragraph({tile.x, tile.bottom() + 4}, Style::label, faded(theme.text), drawn.tile, room, 2);
}

// Draws the elements of one thread, grouped into the vectors that it loads and stores.
void paint_vectors(Canvas& canvas, const Box& box, const story::NamePane::Blueprint& drawn, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const std::int64_t vectors = (drawn.elements + drawn.width - 1) / drawn.width;
  const float cell = std::min({30.0f, (box.width - 8) / static_cast<float>(drawn.width),
                               (box.height - blueprint_label_room) / static_cast<float>(vectors) - 8});
  if (cell < 4) return;
  float y = box.y;
  std::int64_t left = drawn.elements;
  for (std::int64_t v = 0; v < vectors; ++v) {
    const std::int64_t here = std::min(left, drawn.width);
    for (std::int64_t i = 0; i < here; ++i)
      canvas.fill({box.x + static_cast<float>(i) * cell + 4, y + 4, cell - 2, cell - 2},
                  faded(draw::mixed(theme.done, theme.ground, 0.7f)), 2);
    canvas.outline({box.x + 1, y + 1, static_cast<float>(here) * cell + 4, cell + 4}, faded(theme.now), 4, 1.5f);
    left -= here;
    y += cell + 10;
  }
  canvas.paragraph({box.x, y + 4}, Style::label, faded(theme.text), drawn.thread, box.width, 2);
}

}  // namespace

void paint_blueprint(Canvas& canvas, const Box& box, const story::NamePane::Blueprint& drawn, float shown) {
  if (box.height < 60 || box.width < 120) return;
  if (drawn.tile_rows > 0)
    paint_tiles(canvas, box, drawn, shown);
  else
    paint_vectors(canvas, box, drawn, shown);
}

}  // namespace warpwalk::scenes

// C as a mosaic of tiles, the strips that one tile needs, and the sum of one of its elements.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float label_room = 24;
constexpr float matrix_gap = 16;
constexpr float least_matrix = 46;  // of a matrix that is thin beside the others
constexpr float side_gap = 48;      // between the matrices and the sum
constexpr float widest_side = 560;  // of the sum
constexpr float sum_row_height = 24;
constexpr float note_room = 24;

constexpr float name_gap = 6;  // between the names of a and b

/// The three matrices to one scale: b above c, a left of it.
struct Places {
  Box a, b, c;
};

/// `name_width`: of a's name, which stands over it and ends before b.
Places places_in(const Box& box, const story::TilePicture& picture, float name_width) {
  const auto m = static_cast<float>(picture.m), n = static_cast<float>(picture.n), k = static_cast<float>(picture.k);
  const float wide = box.width - matrix_gap, high = box.height - matrix_gap - 2 * label_room;
  const float scale = std::min(wide / (k + n), high / (k + m));
  const auto side = [&](float length) { return std::max(least_matrix, length * scale); };
  // A thin matrix takes its least width from the others.
  const float side_a = std::max(side(k), name_width + name_gap - matrix_gap);
  const float over_x = std::max(0.0f, side_a + side(n) - wide), over_y = std::max(0.0f, side(k) + side(m) - high);
  const float depth_x = side_a - (k > n ? over_x : 0), across = side(n) - (k > n ? 0 : over_x);
  const float depth_y = side(k) - (k > m ? over_y : 0), down = side(m) - (k > m ? 0 : over_y);
  Places at;
  at.c = {box.x + depth_x + matrix_gap, box.y + 2 * label_room + depth_y + matrix_gap - label_room, across, down};
  at.a = {box.x, at.c.y, depth_x, down};
  at.b = {at.c.x, box.y + label_room, across, depth_y};
  return at;
}

Box tile_box(const Box& c, const story::TilePicture& picture, std::int64_t tile) {
  const auto left = static_cast<float>(tile % picture.columns * picture.tile_columns);
  const auto top = static_cast<float>(tile / picture.columns * picture.tile_rows);
  const auto n = static_cast<float>(picture.n), m = static_cast<float>(picture.m);
  const float right = std::min(n, left + static_cast<float>(picture.tile_columns));
  const float bottom = std::min(m, top + static_cast<float>(picture.tile_rows));
  return {c.x + c.width * left / n, c.y + c.height * top / m, c.width * (right - left) / n,
          c.height * (bottom - top) / m};
}

void paint_mosaic(Canvas& canvas, const Box& c, const story::TilePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(c, draw::mixed(theme.done, theme.ground, 0.22f));
  // Lines only if they leave room for the tiles.
  for (std::int64_t i = 1; i < picture.columns && c.width / static_cast<float>(picture.columns) >= 3; ++i) {
    const float x = tile_box(c, picture, i).x;
    canvas.line({x, c.y}, {x, c.bottom()}, theme.ground, 1);
  }
  for (std::int64_t i = 1; i < picture.rows && c.height / static_cast<float>(picture.rows) >= 3; ++i) {
    const float y = tile_box(c, picture, i * picture.columns).y;
    canvas.line({c.x, y}, {c.right(), y}, theme.ground, 1);
  }
  canvas.outline(c, theme.done, 0, theme.hairline);
}

// The strip of a or b that the tile needs, with the part that is added up now.
void paint_strips(Canvas& canvas, const Places& at, const Box& tile, const story::TilePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const ImU32 strip = draw::mixed(theme.memory, theme.ground, 0.55f);
  for (const Box& matrix : {at.a, at.b}) {
    canvas.fill(matrix, draw::mixed(theme.memory, theme.ground, 0.14f));
    canvas.outline(matrix, theme.memory, 0, theme.hairline);
  }
  const Box across = {at.a.x, tile.y, at.a.width, std::max(3.0f, tile.height)};
  const Box down = {tile.x, at.b.y, std::max(3.0f, tile.width), at.b.height};
  canvas.fill(across, strip);
  canvas.fill(down, strip);
  if (picture.k <= 0) return;
  const auto k = static_cast<float>(picture.k);
  const std::int64_t step = std::max<std::int64_t>(0, picture.done - 1) / picture.depth;
  const float from = static_cast<float>(step * picture.depth) / k;
  const float part = std::min(1 - from, static_cast<float>(picture.depth) / k);
  const float wide = std::max(4.0f, part * across.width), high = std::max(4.0f, part * down.height);
  const Box now_a = {std::min(across.x + from * across.width, across.right() - wide), across.y - 2, wide,
                     across.height + 4};
  const Box now_b = {down.x - 2, std::min(down.y + from * down.height, down.bottom() - high), down.width + 4, high};
  canvas.fill(now_a, theme.now);
  canvas.fill(now_b, theme.now);
}

void paint_sums(Canvas& canvas, const Box& box, const story::TilePicture& picture) {
  if (box.height < 40 || picture.sums.empty()) return;
  const draw::Theme& theme = canvas.theme();
  const auto [low, high] = std::ranges::minmax_element(picture.sums);
  const auto bottom = static_cast<float>(std::min(0.0, *low)), top = static_cast<float>(std::max(0.0, *high));
  const float range = std::max(1e-6f, top - bottom);
  const auto count = static_cast<float>(picture.sums.size());
  const auto at = [&](std::size_t i) {
    return draw::Point{box.x + box.width * static_cast<float>(i + 1) / count,
                       box.bottom() - box.height * (static_cast<float>(picture.sums[i]) - bottom) / range};
  };
  const float zero = box.bottom() - box.height * (0 - bottom) / range;
  canvas.line({box.x, zero}, {box.right(), zero}, theme.line, theme.hairline);
  canvas.text({box.x - 6, zero - 9}, Style::mono_small, theme.second, "0", 20, Align::right);
  const auto done = static_cast<std::size_t>(picture.done);
  draw::Point before = {box.x, zero};
  const std::size_t stride = std::max<std::size_t>(1, picture.sums.size() / 400);
  for (std::size_t i = 0; i < std::min(done, picture.sums.size()); i += stride) {
    const draw::Point here = at(i);
    canvas.line(before, here, theme.done, 2);
    before = here;
  }
  if (done > 0) {
    canvas.line(before, at(done - 1), theme.done, 2);
    canvas.dot(at(done - 1), 5, theme.now);
  }
}

void paint_sum_steps(Canvas& canvas, const Box& box, const story::TilePicture& picture) {
  const draw::Theme& theme = canvas.theme();
  float y = box.y;
  if (!picture.missing.empty()) {
    canvas.paragraph({box.x, y}, Style::body, theme.second, picture.missing, box.width, 5);
    return;
  }
  canvas.text({box.x, y}, Style::heading, theme.text, picture.element, box.width);
  y += 28;
  const std::array<float, 4> shares = {0.16f, 0.27f, 0.27f, 0.3f};
  const auto row = [&](float top, Style style, ImU32 colour, const std::array<const std::string*, 4>& words) {
    float x = box.x;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const float width = box.width * shares[i];
      canvas.text_in({x, top, width - 8, sum_row_height}, style, colour, *words[i], Align::right);
      x += width;
    }
  };
  row(y, Style::small_caps, theme.second, {&picture.head_k, &picture.head_a, &picture.head_b, &picture.head_sum});
  y += sum_row_height;
  // Rows keep their places while the sum fills. Without room for all, the last ones are shown.
  const float below = 34 + (picture.afterwards.empty() ? 0.0f : 26.0f);
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.bottom() - below - 6 - y) / sum_row_height));
  for (std::size_t i = picture.steps.size() - std::min(room, picture.steps.size()); i < picture.steps.size(); ++i) {
    const story::TileStep& step = picture.steps[i];
    if (step.followed)
      canvas.fill({box.x, y, box.width, sum_row_height}, draw::mixed(theme.now, theme.ground, 0.2f), 4);
    row(y, Style::mono_small, step.followed ? theme.text : theme.second, {&step.k, &step.a, &step.b, &step.sum});
    y += sum_row_height;
  }
  const Box chart = {box.x + 14, y + 14, box.width - 14, std::min(130.0f, box.bottom() - below - y - 14)};
  paint_sums(canvas, chart, picture);
  y = std::max(y + 6, std::min(box.bottom() - below, chart.bottom() + 14));
  const float total = canvas.text_width(Style::figure, picture.total);
  canvas.text_in({box.x, y, box.width - total - 12, 30}, Style::label, theme.second, picture.progress);
  canvas.text_in({box.right() - total - 8, y, total + 1, 30}, Style::figure, theme.text, picture.total);
  if (!picture.afterwards.empty() && picture.afterwards_shown > 0)
    canvas.text({box.x, y + 32}, Style::body,
                draw::mixed(theme.text, theme.ground, static_cast<float>(picture.afterwards_shown)), picture.afterwards,
                box.width);
}

}  // namespace

Touch paint_tile(Canvas& canvas, draw::Ui* ui, const Box& box, const story::TilePicture& picture) {
  Touch touch;
  const draw::Theme& theme = canvas.theme();
  const float body = box.height - note_room;
  const float least_side = std::clamp(box.width * 0.38f, 250.0f, 420.0f);
  const Box left = {box.x, box.y, box.width - least_side - side_gap, body};
  const Places at = places_in(left, picture, std::ceil(canvas.text_width(Style::label, picture.name_a)));
  // The sum takes what the matrices leave, up to a width that can be read.
  const float side = std::min(widest_side, box.right() - at.c.right() - side_gap);
  const Box tile = tile_box(at.c, picture, picture.followed);
  canvas.text({at.b.x, at.b.y - label_room + 2}, Style::label, theme.text, picture.name_b, left.right() - at.b.x);
  canvas.text({at.a.x, at.a.y - label_room + 2}, Style::label, theme.text, picture.name_a, at.b.x - name_gap - at.a.x);
  paint_strips(canvas, at, tile, picture);
  paint_mosaic(canvas, at.c, picture);
  canvas.text({at.c.x, at.c.bottom() + 4}, Style::label, theme.text, picture.name_c, left.right() - at.c.x);

  // The tile leaves its place and grows beside the mosaic.
  const Box right = {at.c.right() + side_gap, box.y, side, body};
  const float aspect =
      static_cast<float>(picture.tile_columns) / static_cast<float>(std::max<std::int64_t>(1, picture.tile_rows));
  const float high = std::clamp(body * 0.16f, 36.0f, 76.0f);
  const float wide = std::clamp(high * aspect, high * 0.5f, side * 0.45f);
  const Box beside = {right.x, right.y + 4, wide, high};
  const auto lifted = static_cast<float>(picture.lifted);
  const Box now = between(tile, beside, lifted);
  canvas.fill(tile, theme.ground);
  canvas.outline(tile, theme.now, 0, 2);
  if (lifted > 0) {
    const ImU32 way = draw::mixed(theme.now, theme.ground, 0.5f * lifted);
    canvas.dashed({tile.right(), tile.y}, {now.x, now.y}, way, 1);
    canvas.dashed({tile.right(), tile.bottom()}, {now.x, now.bottom()}, way, 1);
  }
  const float filled = picture.k > 0 ? static_cast<float>(picture.done) / static_cast<float>(picture.k) : 0;
  canvas.fill(now, draw::mixed(theme.done, theme.ground, 0.22f), 2);
  canvas.fill({now.x, now.bottom() - now.height * filled, now.width, now.height * filled},
              draw::mixed(theme.done, theme.ground, 0.75f), 2);
  canvas.outline(now, theme.now, 2, 2);
  const float text_x = beside.right() + 14, text_width = right.right() - text_x;
  const auto shown = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, lifted); };
  canvas.paragraph({text_x, beside.y}, Style::body, shown(theme.text), picture.tile_label, text_width, 2);
  canvas.paragraph({text_x, beside.y + 42}, Style::label, shown(theme.now), picture.tip_of(picture.followed),
                   text_width, 2);
  const float top = beside.bottom() + 24;
  paint_sum_steps(canvas, {right.x, top, right.width, right.bottom() - top}, picture);
  canvas.text({box.x, box.bottom() - note_room + 6}, Style::label, theme.second,
              canvas.whole_sentences(Style::label, picture.note, box.width, 1), box.width);

  if (ui == nullptr) return touch;
  ui->point({at.a.x, at.b.y, at.c.right() - at.a.x, at.c.bottom() - at.b.y}, picture.name_c + " " + picture.word_block);
  if (!ui->hovered(at.c)) return touch;
  const draw::Point mouse = ui->input().mouse;
  const auto column = std::min(
      static_cast<std::int64_t>((mouse.x - at.c.x) / at.c.width * static_cast<float>(picture.n)) / picture.tile_columns,
      picture.columns - 1);
  const auto row = std::min(
      static_cast<std::int64_t>((mouse.y - at.c.y) / at.c.height * static_cast<float>(picture.m)) / picture.tile_rows,
      picture.rows - 1);
  const std::int64_t pointed = std::max<std::int64_t>(0, row) * picture.columns + std::max<std::int64_t>(0, column);
  canvas.outline(tile_box(at.c, picture, pointed), theme.text, 0, 2);
  ui->tooltip(picture.tip_of(pointed) + (picture.word_mapping.empty() ? "" : "\n" + picture.word_mapping));
  if (!picture.control.empty() && ui->input().mouse_pressed)
    touch.set.emplace_back(picture.control, static_cast<double>(pointed));
  return touch;
}

}  // namespace warpwalk::pictures

// The plane of the tour: boxes, texts and arrows as the camera sees them.
#include "core/story/pictures/plane.h"

#include <algorithm>
#include <cmath>

#include "app/pictures/pictures.h"
#include "app/pictures/text.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;
using Item = story::PlaneItem;

constexpr float most_text_pad = 4, rounding = 4, arrow_head = 9;
constexpr int most_item_lines = 12;

// From the plane to the canvas: the camera's box in the middle of the stage's box.
class View {
 public:
  View(const Box& box, const story::PlaneBox& camera)
      : scale_(std::min(box.width / camera.width, box.height / camera.height)),
        x_(box.x + box.width / 2 - scale_ * (camera.x + camera.width / 2)),
        y_(box.y + box.height / 2 - scale_ * (camera.y + camera.height / 2)) {}

  Box operator()(const story::PlaneBox& on) const {
    return {static_cast<float>(x_ + scale_ * on.x), static_cast<float>(y_ + scale_ * on.y),
            static_cast<float>(scale_ * on.width), static_cast<float>(scale_ * on.height)};
  }

 private:
  double scale_, x_, y_;
};

Style style_of(Item::Type type) {
  switch (type) {
    case Item::Type::label: return Style::label;
    case Item::Type::body: return Style::body;
    case Item::Type::heading: return Style::heading;
    case Item::Type::figure: return Style::figure;
    case Item::Type::mono: return Style::mono;
  }
  return Style::label;
}

draw::Align align_of(Item::Align align) {
  switch (align) {
    case Item::Align::left: return draw::Align::left;
    case Item::Align::centre: return draw::Align::centre;
    case Item::Align::right: return draw::Align::right;
  }
  return draw::Align::left;
}

bool is_stroke(const Item& item) { return item.kind == Item::Kind::line || item.kind == Item::Kind::arrow; }

float pad_of(const Item& item, float width) {
  return item.kind == Item::Kind::text ? 0 : std::min(most_text_pad, 0.05f * width);
}

float leading(const Canvas& canvas, Style style) { return 1.15f * canvas.line_height(style); }

// The lines of an item's text in the width of its box.
std::vector<std::string> lines_of(const Canvas& canvas, const Item& item, float width) {
  const float room = width - 2 * pad_of(item, width);
  if (item.text.find('\n') == std::string::npos && canvas.text_width(style_of(item.type), item.text) <= room)
    return {item.text};
  return canvas.wrapped(style_of(item.type), item.text, room, most_item_lines);
}

// Whether the text fits: no line is wider than the box, and not more lines than its height has room for.
bool fits(const Canvas& canvas, const Item& item, const Box& box, const std::vector<std::string>& lines) {
  const Style style = style_of(item.type);
  const float width = box.width - 2 * pad_of(item, box.width);
  constexpr float rounding_error = 0.5f;
  // A word that is wider than the box, or one line too many, is shortened by wrapped().
  std::string whole;
  for (const std::string& line : lines) whole += line;
  const auto letters = [](const std::string& text) {
    return std::ranges::count_if(text, [](char c) { return c != ' ' && c != '\n'; });
  };
  if (letters(whole) != letters(item.text)) return false;
  const float high = leading(canvas, style) * static_cast<float>(lines.size() - 1) + canvas.line_height(style);
  return high <= box.height + rounding_error && std::ranges::all_of(lines, [&](const std::string& line) {
           return canvas.text_width(style, line) <= width + rounding_error;
         });
}

// Beside the last line, on the side where it ends; inside of a box in its corner.
void paint_item_origin(Canvas& canvas, const Item& item, const Box& box, const draw::Point& line_end, ImU32 colour) {
  constexpr float apart = 9;
  if (item.kind != Item::Kind::text)
    paint_origin_mark(canvas, {box.right() - apart, box.y + apart}, *item.origin, colour);
  else
    paint_origin_mark(canvas, {line_end.x + (item.align == Item::Align::right ? -apart : apart), line_end.y},
                      *item.origin, colour);
}

void paint_text(Canvas& canvas, const Item& item, const Box& box, ImU32 colour) {
  const std::vector<std::string> lines = lines_of(canvas, item, box.width);
  // While the camera flies, boxes are small: they then have no text, rather than half of it.
  if (lines.empty() || !fits(canvas, item, box, lines)) return;
  const Style style = style_of(item.type);
  const float step = leading(canvas, style), high = step * static_cast<float>(lines.size());
  float y = item.at_top ? box.y : box.y + (box.height - high) / 2;
  if (item.origin) {
    const float wide = canvas.text_width(style, lines.back()), pad = pad_of(item, box.width);
    const float end = item.align == Item::Align::left     ? box.x + pad + wide
                      : item.align == Item::Align::centre ? box.x + (box.width + wide) / 2
                                                          : box.right() - pad - wide;
    paint_item_origin(canvas, item, box, {end, y + high - step / 2}, draw::mixed(colour, canvas.theme().ground, 0.8f));
  }
  for (const std::string& line : lines) {
    canvas.text_in({box.x + pad_of(item, box.width), y, box.width - 2 * pad_of(item, box.width), step}, style, colour,
                   line, align_of(item.align));
    y += step;
  }
}

void paint_cell_grid(Canvas& canvas, const Item& item, const Box& box) {
  const draw::Theme& theme = canvas.theme();
  const auto columns = static_cast<std::size_t>(std::max(item.columns, 1));
  const std::size_t rows = (item.cells.size() + columns - 1) / columns;
  if (rows == 0) return;
  const float wide = box.width / static_cast<float>(columns), high = box.height / static_cast<float>(rows);
  const float gap = std::min(wide, high) > 5 ? 1 : std::min(wide, high) * 0.2f;
  for (std::size_t i = 0; i < item.cells.size(); ++i) {
    const Box cell = {box.x + wide * static_cast<float>(i % columns), box.y + high * static_cast<float>(i / columns),
                      wide - gap, high - gap};
    canvas.fill(cell, draw::mixed(fill_of(item.cells[i], theme), theme.ground, static_cast<float>(item.shown)));
  }
}

void paint_stroke(Canvas& canvas, const Item& item, const Box& box, ImU32 colour) {
  const draw::Point from = {box.x, box.y}, to = {box.x + box.width, box.y + box.height};
  const float length = std::hypot(box.width, box.height);
  if (length < 1) return;
  constexpr float thickness = 1.5f;
  canvas.line(from, to, colour, thickness);
  if (item.kind != Item::Kind::arrow || length < arrow_head) return;
  const float along_x = box.width / length, along_y = box.height / length;
  const draw::Point foot = {to.x - arrow_head * along_x, to.y - arrow_head * along_y};
  const float half = arrow_head / 2;
  canvas.triangle(to, {foot.x - half * along_y, foot.y + half * along_x},
                  {foot.x + half * along_y, foot.y - half * along_x}, colour);
}

void paint_item(Canvas& canvas, const Item& item, const Box& box, bool hovered) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(item.shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const float round = std::min({rounding, box.width / 4, box.height / 4});
  ImU32 letters = faded(colour_of(item.tone, theme));
  switch (item.kind) {
    case Item::Kind::box:
      if (shown >= 1)
        paint_tone(canvas, box, item.tone, round);
      else
        canvas.fill(box, faded(fill_of(item.tone, theme)), round);
      letters = faded(text_on(item.tone, theme));
      break;
    case Item::Kind::frame: {
      const bool quiet = item.tone == story::Tone::quiet || item.tone == story::Tone::plain;
      const ImU32 edge = quiet ? draw::mixed(theme.second, theme.ground, 0.45f) : colour_of(item.tone, theme);
      canvas.outline(box, faded(edge), round, item.tone == story::Tone::followed ? 2.0f : theme.hairline);
      break;
    }
    case Item::Kind::cells: paint_cell_grid(canvas, item, box); return;
    case Item::Kind::line:
    case Item::Kind::arrow: paint_stroke(canvas, item, box, letters); return;
    case Item::Kind::text: break;
  }
  if (hovered) canvas.outline(box, theme.text, round, 1.5f);
  if (!item.text.empty()) paint_text(canvas, item, box, letters);
}

// A frame of which a part is in the stage is closed at the stage's edge. `hidden`: none of its sides is in the stage.
Box closed_frame(const Box& frame, const Box& stage, bool& hidden) {
  constexpr float inset = 1;
  const float left = std::max(frame.x, stage.x + inset), right = std::min(frame.right(), stage.right() - inset);
  const float top = std::max(frame.y, stage.y + inset), bottom = std::min(frame.bottom(), stage.bottom() - inset);
  hidden = frame.x < stage.x && frame.right() > stage.right() && frame.y < stage.y && frame.bottom() > stage.bottom();
  return {left, top, right - left, bottom - top};
}

bool outside(const Box& item, const Box& box) {
  const float left = std::min(item.x, item.x + item.width), right = std::max(item.x, item.x + item.width);
  const float top = std::min(item.y, item.y + item.height), bottom = std::max(item.y, item.y + item.height);
  return right < box.x || left > box.right() || bottom < box.y || top > box.bottom();
}

}  // namespace

Touch paint_plane(Canvas& canvas, draw::Ui* ui, const Box& box, const story::PlanePicture& picture) {
  Touch touch;
  const View view(box, picture.camera);
  canvas.clip(box);
  for (const Item& item : picture.items) {
    Box place = view(item.box);
    if (item.shown <= 0 || outside(place, box)) continue;
    bool hidden = false;
    if (item.kind == Item::Kind::frame) place = closed_frame(place, box, hidden);
    const bool linked = ui != nullptr && !item.link.empty();
    if (!hidden) paint_item(canvas, item, place, linked && ui->hovered(place));
    if (ui == nullptr) continue;
    if (!item.text.empty()) ui->point(place, item.text);
    if (!item.tip.empty() && ui->hovered(place)) ui->tooltip(item.tip);
    if (linked && ui->activated("plane." + item.id, place)) touch.go = item.link;
  }
  canvas.unclip();
  return touch;
}

std::vector<std::string> cut_texts(const Canvas& canvas, const Box& box, const story::PlanePicture& picture) {
  std::vector<std::string> cut;
  const View view(box, picture.camera);
  for (const Item& item : picture.items) {
    if (item.text.empty() || item.shown <= 0 || is_stroke(item)) continue;
    const Box place = view(item.box);
    if (outside(place, box)) continue;
    const bool whole = place.x >= box.x - 1 && place.right() <= box.right() + 1 && place.y >= box.y - 1 &&
                       place.bottom() <= box.bottom() + 1;
    if (!whole || !fits(canvas, item, place, lines_of(canvas, item, place.width)))
      cut.push_back(item.id + ": " + item.text);
  }
  return cut;
}

Box covered_box(const Box& box, const story::PlanePicture& picture) {
  const View view(box, picture.camera);
  float left = box.right(), top = box.bottom(), right = box.x, bottom = box.y;
  for (const Item& item : picture.items) {
    const Box place = view(item.box);
    if (item.shown <= 0 || outside(place, box)) continue;
    left = std::min({left, place.x, place.x + place.width});
    right = std::max({right, place.x, place.x + place.width});
    top = std::min({top, place.y, place.y + place.height});
    bottom = std::max({bottom, place.y, place.y + place.height});
  }
  left = std::max(left, box.x);
  top = std::max(top, box.y);
  right = std::min(right, box.right());
  bottom = std::min(bottom, box.bottom());
  return {left, top, std::max(0.0f, right - left), std::max(0.0f, bottom - top)};
}

}  // namespace warpwalk::pictures

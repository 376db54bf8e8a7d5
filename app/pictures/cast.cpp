// The company: a card for each member, in two houses with the way between them.
#include <algorithm>

#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using Kind = story::CastMember::Kind;

constexpr float cast_head_room = 26;
constexpr float link_room = 32;
constexpr float gap = 12;
constexpr float sign_size = 34;
constexpr float highest_role = 158;
constexpr float lowest_roomy = 120;    // of a role
constexpr float narrowest_role = 145;  // narrower ones are in two lines

void paint_person(Canvas& canvas, float x, float y, float size, ImU32 colour) {
  canvas.dot({x + size / 2, y + size * 0.28f}, size * 0.22f, colour);
  canvas.fill({x + size * 0.14f, y + size * 0.56f, size * 0.72f, size * 0.4f}, colour, size * 0.18f,
              ImDrawFlags_RoundCornersTop);
}

// Draws the member's sign, so that it is recognised without its colour.
void paint_sign(Canvas& canvas, const Box& box, Kind kind, ImU32 colour) {
  switch (kind) {
    case Kind::person: paint_person(canvas, box.x, box.y, box.width, colour); return;
    case Kind::crew:
      for (int i = 0; i < 4; ++i)
        paint_person(canvas, box.x + box.width / 2 * static_cast<float>(i % 2),
                     box.y + box.height / 2 * static_cast<float>(i / 2), box.width / 2, colour);
      return;
    case Kind::room:  // a table with chairs
      canvas.fill({box.x + 5, box.y + 11, box.width - 10, box.height - 22}, colour, 5);
      for (int i = 0; i < 3; ++i) {
        const float x = box.x + 9 + 8 * static_cast<float>(i);
        canvas.dot({x, box.y + 5}, 3, colour);
        canvas.dot({x, box.bottom() - 5}, 3, colour);
      }
      return;
    case Kind::tray:  // papers on top of each other
      for (int i = 0; i < 4; ++i)
        canvas.fill({box.x + 3, box.y + 4 + 7 * static_cast<float>(i), box.width - 6, 4}, colour, 1);
      canvas.line({box.x, box.y + 12}, {box.x, box.bottom() - 1}, colour, 2);
      canvas.line({box.x, box.bottom() - 1}, {box.right(), box.bottom() - 1}, colour, 2);
      canvas.line({box.right(), box.y + 12}, {box.right(), box.bottom() - 1}, colour, 2);
      return;
    case Kind::store:  // shelves
      for (int i = 0; i < 9; ++i)
        canvas.fill(
            {box.x + 1 + 11.5f * static_cast<float>(i % 3), box.y + 1 + 11.5f * static_cast<float>(i / 3), 9, 9},
            colour, 1);
      return;
  }
}

void paint_member(Canvas& canvas, draw::Ui* ui, const Box& box, const story::CastMember& member) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(member.shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const bool low = box.height < lowest_roomy;  // then the task is beside the sign, below the name
  const float pad = low || box.width < 120 ? 8 : 12;
  paint_sign(canvas, {box.x + pad, box.y + pad, sign_size, sign_size}, member.kind,
             faded(draw::mixed(colour_of(member.tone, theme), theme.panel, 0.85f)));
  const float x = box.x + pad + sign_size + 8, width = box.right() - x - 4;
  const Style style = canvas.text_width(Style::heading, member.name) <= width ? Style::heading : Style::label;
  if (low) {
    const float named = canvas.text({x, box.y + pad - 2}, style, faded(theme.text), member.name, width);
    if (const float rest = width - named - 10; canvas.text_width(Style::label, member.other) <= rest)
      canvas.text({x + named + 10, box.y + pad + 2}, Style::label, faded(theme.second), member.other, rest);
  } else if (member.other.empty()) {
    for (float y = box.y + pad + 2; const std::string& line : canvas.wrapped(style, member.name, width, 2)) {
      canvas.text({x, y}, style, faded(theme.text), line, width);
      y += canvas.line_height(style);
    }
  } else {
    canvas.text({x, box.y + pad - 2}, style, faded(theme.text), member.name, width);
    canvas.text({x, box.y + pad + 20}, Style::label, faded(theme.second), member.other, width);
  }
  const float y = box.y + pad + (low ? 22 : sign_size + 14);
  const int lines = std::max(1, static_cast<int>((box.bottom() - y) / (1.2f * canvas.line_height(Style::label))));
  const float task_width = low ? width : box.width - 2 * pad;
  canvas.paragraph({low ? x : box.x + pad, y}, Style::label, faded(theme.text),
                   canvas.whole_sentences(Style::label, member.task, task_width, lines), task_width, lines);
  if (ui == nullptr) return;
  ui->point(box, member.name + " " + member.other + " " + member.task);
  if (ui->hovered(box) && member.shown > 0.5) ui->tooltip(member.name + ": " + member.task);
}

}  // namespace

Touch paint_cast(Canvas& canvas, draw::Ui* ui, const Box& box, const story::CastPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  // A house whose members would be too narrow for their texts has two rows.
  const auto in_a_row = [&](const story::CastHouse& house) {
    const std::size_t all = std::max<std::size_t>(1, house.members.size());
    const float width = (box.width - gap * static_cast<float>(all - 1)) / static_cast<float>(all);
    return width >= narrowest_role ? all : (all + 1) / 2;
  };
  std::size_t rows = 0, most = 1;
  for (const story::CastHouse& house : picture.houses) {
    rows += (house.members.size() + in_a_row(house) - 1) / in_a_row(house);
    most = std::max(most, in_a_row(house));
  }
  const auto houses = static_cast<float>(picture.houses.size());
  const float first_width = (box.width - gap * static_cast<float>(most - 1)) / static_cast<float>(most);
  const float inner_gaps = gap * (static_cast<float>(rows) - houses);
  const float height =
      std::min(highest_role, (box.height - cast_head_room * houses - link_room * (houses - 1) - inner_gaps) /
                                 static_cast<float>(std::max<std::size_t>(1, rows)));
  float y = box.y;
  for (const story::CastHouse& house : picture.houses) {
    const auto shown = static_cast<float>(house.members.empty() ? 0 : house.members.front().shown);
    canvas.text({box.x, y}, Style::small_caps, draw::mixed(theme.second, theme.ground, shown), house.name, box.width);
    y += cast_head_room;
    if (y > box.y + cast_head_room) {  // from the last member of the house above to the first one of this
      const float x = box.x + first_width / 2, top = y - cast_head_room - link_room;
      const ImU32 colour = draw::mixed(theme.launch, theme.ground, shown);
      canvas.line({x, top + 6}, {x, top + link_room - 8}, colour, 2);
      canvas.triangle({x - 5, top + link_room - 10}, {x + 5, top + link_room - 10}, {x, top + link_room - 2}, colour);
      canvas.text_in({x + 14, top, box.right() - x - 14, link_room}, Style::label,
                     draw::mixed(theme.second, theme.ground, shown), picture.link);
    }
    const std::size_t columns = in_a_row(house);
    const float own = (box.width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    for (std::size_t i = 0; i < house.members.size(); ++i) {
      const story::CastMember& member = house.members[i];
      const float x = box.x + static_cast<float>(i % columns) * (own + gap);
      if (i > 0 && i % columns == 0) y += height + gap;
      if (member.shown <= 0) continue;
      paint_member(canvas, ui, {x, y, own, height}, member);
      if (i % columns == 0) continue;
      const ImU32 colour = draw::mixed(theme.second, theme.ground, static_cast<float>(member.shown));
      canvas.triangle({x - gap + 3, y + 24}, {x - gap + 3, y + 34}, {x - gap + 9, y + 29}, colour);
    }
    y += height + link_room;
  }
  return {};
}

}  // namespace warpwalk::pictures

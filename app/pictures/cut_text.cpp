#include "app/pictures/cut_text.h"

namespace warpwalk::scenes {

void paint_cut(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, draw::Style style, ImU32 colour,
               std::string_view text, draw::Align align) {
  canvas.text_in(box, style, colour, text, align);
  if (ui != nullptr && ui->hovered(box) && canvas.text_width(style, text) > box.width) ui->tooltip(text);
}

void paint_cut(draw::Canvas& canvas, draw::Ui* ui, draw::Point at, draw::Style style, ImU32 colour,
               std::string_view text, float limit) {
  canvas.text(at, style, colour, text, limit);
  if (ui != nullptr && canvas.text_width(style, text) > limit && ui->hovered({at.x, at.y, limit, 20}))
    ui->tooltip(text);
}

}  // namespace warpwalk::scenes

#include "app/panels/stage_view.h"

#include <fmt/format.h>

#include "app/panels/controls.h"
#include "app/panels/question.h"

namespace warpwalk::panels {

using draw::Box;
using draw::Style;

scenes::Touch stage_view(draw::Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage) {
  const draw::Theme& theme = canvas.theme();
  float y = box.y;
  canvas.text(
      {box.x, y}, Style::small_caps, theme.second,
      stage.scene_number == 0 ? stage.scene_label : fmt::format("{} · {}", stage.scene_number, stage.scene_label),
      box.width);
  if (ui != nullptr) {
    ui->point({box.x, y + 22, box.width, 46}, stage.title);
    ui->point({box.x, y + 68, box.width, 56}, stage.sentence);
  }
  y += 22;
  // A title that does not fit is drawn in a smaller style, not cut.
  const bool large = canvas.text_width(Style::title, stage.title) <= box.width;
  canvas.text({box.x, large ? y : y + 12}, large ? Style::title : Style::heading, theme.text, stage.title, box.width);
  y += 46;
  canvas.paragraph({box.x, y}, Style::sentence, theme.second, stage.sentence, box.width, 2);
  // The picture starts at the same height in every beat, however long the sentence is.
  const float top = y + 2 * 1.2f * canvas.line_height(Style::sentence) + 18;
  const float controls_high = controls_height(canvas, stage, box.width);
  const float question_high = question_height(canvas, stage, box.width);
  const float below = (controls_high > 0 ? controls_high + 12 : 0) + (question_high > 0 ? question_high + 16 : 0);
  const float picture_high = box.bottom() - top - below;
  scenes::Touch touch = scenes::paint_picture(canvas, ui, {box.x, top, box.width, picture_high}, stage);
  if (question_high > 0)
    touch.add(question(canvas, ui, {box.x, box.bottom() - below + 16, box.width, question_high}, stage));
  if (controls_high > 0)
    touch.add(controls(canvas, ui, {box.x, box.bottom() - controls_high, box.width, controls_high}, stage));
  return touch;
}

}  // namespace warpwalk::panels

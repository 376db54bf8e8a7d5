#include "app/panels/stage_view.h"

#include <fmt/format.h>

#include "app/panels/controls.h"
#include "app/panels/question.h"

namespace warpwalk::panels {

using draw::Box;
using draw::Style;

namespace {

/// The line of the followed number: a mark in its colour, its name, where it is. Returns the height it takes.
float paint_number(draw::Canvas& canvas, const Box& box, const story::NumberLine& number) {
  const draw::Theme& theme = canvas.theme();
  constexpr float mark = 10, gap = 8;
  const float high = 1.3f * canvas.line_height(Style::label);
  const float middle = box.y + high / 2;
  canvas.fill({box.x, middle - mark / 2, mark, mark}, theme.now, 2);
  const float x = box.x + mark + gap;
  canvas.text({x, box.y + (high - canvas.line_height(Style::label)) / 2}, Style::label, theme.text, number.text,
              box.width - mark - gap);
  return high;
}

}  // namespace

pictures::Touch stage_view(draw::Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage,
                           StageHead head) {
  if (head == StageHead::none) return scenes::paint_picture(canvas, ui, box, stage);
  const draw::Theme& theme = canvas.theme();
  const bool presented = head == StageHead::presented;  // the title says where we are
  float y = box.y;
  if (!presented) {
    canvas.text(
        {box.x, y}, Style::small_caps, theme.second,
        stage.scene_number == 0 ? stage.scene_label : fmt::format("{} · {}", stage.scene_number, stage.scene_label),
        box.width);
    y += 22;
  }
  const float title_high = presented ? 1.1f * canvas.line_height(Style::title) : 46;
  const float sentence_high = 2 * 1.2f * canvas.line_height(Style::sentence);
  if (ui != nullptr) {
    ui->point({box.x, y, box.width, title_high}, stage.title);
    ui->point({box.x, y + title_high, box.width, sentence_high}, stage.sentence);
  }
  // A title that does not fit is drawn in a smaller style, not cut.
  const bool large = canvas.text_width(Style::title, stage.title) <= box.width;
  canvas.text({box.x, large ? y : y + title_high - 34}, large ? Style::title : Style::heading, theme.text, stage.title,
              box.width);
  y += title_high;
  canvas.paragraph({box.x, y}, Style::sentence, theme.second, stage.sentence, box.width, 2);
  // The picture starts at the same height in every beat, however long the sentence is, unless it lacks room.
  float top = y + sentence_high + (presented ? 8 : 18);
  if (stage.number) top += paint_number(canvas, {box.x, y + sentence_high + 2, box.width, 0}, *stage.number);
  const float question_high = question_height(canvas, stage, box.width);
  // The height that controls of this height leave for the picture.
  const auto room = [&](float high) { return box.bottom() - top - question_high - high - 28; };
  ControlNames names = ControlNames::above;
  float controls_high = controls_height(canvas, stage, box.width, names);
  const float whole = scenes::whole_picture_height(canvas, box.width, stage);
  if (room(controls_high) < whole) {
    names = ControlNames::beside;
    controls_high = controls_height(canvas, stage, box.width, names);
  }
  if (presented && room(controls_high) < whole &&
      canvas.wrapped(Style::sentence, stage.sentence, box.width, 2).size() < 2)
    top -= sentence_high / 2;
  // Large type may leave no room for both: the picture is what the audience came for, and keys still step through it.
  if (presented && room(controls_high) < scenes::least_picture_height(canvas, box.width, stage)) controls_high = 0;
  const float below = (controls_high > 0 ? controls_high + 12 : 0) + (question_high > 0 ? question_high + 16 : 0);
  const float picture_high = box.bottom() - top - below;
  pictures::Touch touch = scenes::paint_picture(canvas, ui, {box.x, top, box.width, picture_high}, stage);
  if (question_high > 0)
    touch.add(question(canvas, ui, {box.x, box.bottom() - below + 16, box.width, question_high}, stage));
  if (controls_high > 0)
    touch.add(controls(canvas, ui, {box.x, box.bottom() - controls_high, box.width, controls_high}, stage, names));
  return touch;
}

}  // namespace warpwalk::panels

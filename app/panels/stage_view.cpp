#include "app/panels/stage_view.h"

#include <fmt/format.h>

#include "app/scenes/paint.h"

namespace warpwalk::panels {

using draw::Box;
using draw::Style;

void stage_view(draw::Canvas& canvas, const Box& box, const story::Stage& stage) {
  const draw::Theme& theme = canvas.theme();
  float y = box.y;
  canvas.text({box.x, y}, Style::small_caps, theme.second,
              fmt::format("{} · {}", stage.scene_number, stage.scene_label), box.width);
  y += 22;
  canvas.text({box.x, y}, Style::title, theme.text, stage.title, box.width);
  y += 46;
  canvas.paragraph({box.x, y}, Style::sentence, theme.second, stage.sentence, box.width, 2);
  // The picture starts at the same place in every beat, however long the sentence.
  const float top = y + 2 * 1.2f * canvas.line_height(Style::sentence) + 18;
  scenes::paint_picture(canvas, {box.x, top, box.width, box.bottom() - top}, stage);
}

}  // namespace warpwalk::panels

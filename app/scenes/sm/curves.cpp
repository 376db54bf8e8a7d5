// The number of resident warps as a function of each launch setting: one chart per setting.
#include <algorithm>

#include "app/pictures/pictures.h"
#include "app/scenes/sm/panes.h"

namespace warpwalk::scenes {

using draw::Box;

Touch paint_sm_curves(draw::Canvas& canvas, draw::Ui* ui, const Box& box, const story::SmPicture& picture) {
  Touch touch;
  if (picture.curves.empty() || picture.curves_shown <= 0) return touch;
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(picture.curves_shown);
  canvas.text({box.x, box.y - 2}, draw::Style::small_caps, draw::mixed(theme.second, theme.ground, shown),
              picture.word_warps, box.width);
  const float top = box.y + 20;
  constexpr float least_height = 72;  // smallest height of a readable chart
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.bottom() - top) / least_height));
  const std::size_t count = std::min(room, picture.curves.size());
  const float each = (box.bottom() - top) / static_cast<float>(count);
  for (std::size_t i = 0; i < count; ++i)
    touch.add(paint_chart(canvas, ui, {box.x, top + each * static_cast<float>(i), box.width, each}, picture.curves[i],
                          shown));
  return touch;
}

}  // namespace warpwalk::scenes

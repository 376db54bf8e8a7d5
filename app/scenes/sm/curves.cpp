// The number of resident warps as a function of each launch setting: one chart per setting.
#include <algorithm>

#include "app/pictures/pictures.h"
#include "app/scenes/sm/panes.h"

namespace warpwalk::scenes {

using draw::Box;

namespace {

constexpr float curve_head_room = 20;
constexpr float least_height = 72;  // smallest height of a readable chart

// The place of each chart, from the top; as many as there is room for.
std::vector<Box> places_in(const Box& box, const story::SmPicture& picture) {
  const float top = box.y + curve_head_room;
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.bottom() - top) / least_height));
  const std::size_t count = std::min(room, picture.curves.size());
  const float each = (box.bottom() - top) / static_cast<float>(std::max<std::size_t>(count, 1));
  std::vector<Box> places;
  for (std::size_t i = 0; i < count; ++i)
    places.push_back({box.x, top + each * static_cast<float>(i), box.width, each});
  return places;
}

}  // namespace

std::optional<Box> sm_curve_column(const Box& box, const story::SmPicture& picture) {
  if (picture.curves.empty()) return {};
  constexpr float width = 10;
  const Box place = pictures::chart_here(places_in(box, picture).front(), picture.curves.front());
  return Box{place.x - width / 2, place.y, width, place.height};
}

pictures::Touch paint_sm_curves(draw::Canvas& canvas, draw::Ui* ui, const Box& box, const story::SmPicture& picture) {
  pictures::Touch touch;
  if (picture.curves.empty() || picture.curves_shown <= 0) return touch;
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(picture.curves_shown);
  canvas.text({box.x, box.y - 2}, draw::Style::small_caps, draw::mixed(theme.second, theme.ground, shown),
              picture.word_warps, box.width);
  const std::vector<Box> places = places_in(box, picture);
  for (std::size_t i = 0; i < places.size(); ++i)
    touch.add(pictures::paint_chart(canvas, ui, places[i], picture.curves[i], shown));
  return touch;
}

}  // namespace warpwalk::scenes

#include "app/shell/stage_pen.h"

#include <cmath>

namespace warpwalk::shell {
namespace {

// In units of a canvas that is 480 units high, as a presented one is.
constexpr float usual_height = 480, line_width = 4, halo = 2, spot_radius = 9, spot_glow = 18;
constexpr float least_step = 0.002f;  // between two points of a line, as part of the canvas

}  // namespace

void StagePen::put_away() {
  tool_ = Tool::none;
  spot_.reset();
  wipe();
}

void StagePen::on_step(const std::string& step) {
  if (step == step_) return;
  step_ = step;
  wipe();
}

draw::Input StagePen::take(const draw::Input& input, draw::Input below, float width, float height) {
  if (tool_ != Tool::pointer) spot_.reset();
  if (tool_ == Tool::none) return below;
  const draw::Point at = {input.mouse.x / width, input.mouse.y / height};
  const bool inside = at.x >= 0 && at.x <= 1 && at.y >= 0 && at.y <= 1;
  if (tool_ == Tool::pointer) {
    spot_ = inside ? std::optional(at) : std::nullopt;
  } else if (inside && (input.mouse_pressed || input.mouse_down)) {
    if (input.mouse_pressed || lines_.empty()) lines_.push_back({at});
    const draw::Point last = lines_.back().back();
    if (std::hypot(at.x - last.x, at.y - last.y) >= least_step) lines_.back().push_back(at);
  }
  below.mouse = {-1, -1};
  below.mouse_down = below.mouse_pressed = below.mouse_released = false;
  below.wheel = 0;
  return below;
}

void StagePen::paint(draw::Canvas& canvas) const {
  const draw::Theme& theme = canvas.theme();
  const float unit = canvas.height() / usual_height;
  const auto place = [&](draw::Point part) { return draw::Point{part.x * canvas.width(), part.y * canvas.height()}; };
  // A rim in the colour of the ground sets the lines apart from those of the picture.
  for (const float width : {line_width + 2 * halo, line_width}) {
    const ImU32 colour = width > line_width ? theme.ground : theme.launch;
    for (const std::vector<draw::Point>& line : lines_)
      for (std::size_t i = 0; i < line.size(); ++i) {
        canvas.dot(place(line[i]), width * unit / 2, colour);
        if (i > 0) canvas.stroke(place(line[i - 1]), place(line[i]), colour, width * unit);
      }
  }
  if (!spot_) return;
  canvas.dot(place(*spot_), spot_glow * unit, draw::with_alpha(theme.launch, 0.35f));
  canvas.dot(place(*spot_), spot_radius * unit, theme.launch);
}

}  // namespace warpwalk::shell

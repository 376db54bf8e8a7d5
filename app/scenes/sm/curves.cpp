// Step curves: how many warps are resident against what a kernel's author can choose.
#include <algorithm>

#include <fmt/format.h>

#include "app/scenes/sm/parts.h"
#include "core/story/stage/controls.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::SmCurve;
using story::SmPicture;

constexpr float head_height = 24;
constexpr float tick_height = 20;
constexpr float left_room = 34;

struct Plot {
  Box box;
  double from = 0, to = 1, highest = 1;
  float x(double value) const {
    const double share = to > from ? (value - from) / (to - from) : 0;
    return box.x + box.width * static_cast<float>(std::clamp(share, 0.0, 1.0));
  }
  float y(std::int64_t warps) const {
    return box.bottom() - box.height * static_cast<float>(static_cast<double>(warps) / highest);
  }
};

void paint_axes(Canvas& canvas, const Plot& plot, const SmCurve& curve, const SmPicture& picture, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const Box& box = plot.box;
  const float half = canvas.line_height(Style::mono_small) / 2;
  for (const std::int64_t warps : {std::int64_t{0}, picture.warps_per_sm / 2, picture.warps_per_sm}) {
    const float y = plot.y(warps);
    canvas.line({box.x, y}, {box.right(), y}, faded(warps == 0 ? theme.line : theme.guide), theme.hairline);
    if (warps != picture.warps_per_sm / 2 || box.height > 60)
      canvas.text({box.x - 8, y - half}, Style::mono_small, faded(theme.faint), std::to_string(warps), left_room,
                  Align::right);
  }
  float free_from = box.x - 20;
  for (const auto& [at, text] : curve.ticks) {
    const float width = canvas.text_width(Style::mono_small, text);
    const float x = std::clamp(plot.x(at) - width / 2, box.x - 10, box.right() - width);
    canvas.line({plot.x(at), box.bottom()}, {plot.x(at), box.bottom() + 4}, faded(theme.line), theme.hairline);
    if (x < free_from) continue;
    canvas.text({x, box.bottom() + 5}, Style::mono_small, faded(theme.faint), text);
    free_from = x + width + 12;
  }
}

void paint_steps(Canvas& canvas, const Plot& plot, const SmCurve& curve, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  for (std::size_t i = 0; i < curve.steps.size(); ++i) {
    const story::SmStep& step = curve.steps[i];
    const float left = plot.x(step.from);
    const float right = i + 1 < curve.steps.size() ? plot.x(curve.steps[i + 1].from) : plot.x(step.to);
    const float y = plot.y(step.warps);
    canvas.fill({left, y, right - left, plot.box.bottom() - y}, faded(draw::mixed(theme.done, theme.ground, 0.16f)));
    canvas.line({left, y}, {right, y}, faded(theme.done), 2);
    if (i > 0) {
      const float before = plot.y(curve.steps[i - 1].warps);
      canvas.line({left, std::min(before, y)}, {left, std::max(before, y) + 1}, faded(theme.done), 1);
    }
  }
}

void paint_marks(Canvas& canvas, const Plot& plot, const SmCurve& curve, const SmPicture& picture, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const float x = plot.x(curve.at), y = plot.y(curve.warps);
  if (curve.launched) {
    const float at = plot.x(*curve.launched);
    canvas.dashed({at, plot.box.y}, {at, plot.box.bottom()}, faded(theme.second), 1);
    const float width = canvas.text_width(Style::label, picture.word_launched);
    const bool after = at + 8 + width < plot.box.right();
    const float left = after ? at + 6 : at - 6 - width;
    canvas.fill({left - 2, plot.box.y + 1, width + 4, canvas.line_height(Style::label) + 2}, theme.ground);
    canvas.text({left, plot.box.y + 1}, Style::label, faded(theme.second), picture.word_launched);
  }
  canvas.line({x, y}, {x, plot.box.bottom()}, faded(theme.now), 1.5f);
  canvas.dot({x, y}, 6, faded(theme.ground));
  canvas.dot({x, y}, 5, faded(theme.now));
  if (!curve.better) return;
  // Where the next step up begins.
  const float bx = plot.x(*curve.better), by = plot.y(curve.better_warps);
  canvas.dot({bx, by}, 6, faded(theme.shared));
  canvas.dot({bx, by}, 4, faded(theme.ground));
  const float width = canvas.text_width(Style::mono_small, curve.better_text);
  const bool after = bx + 10 + width < plot.box.right();
  const float ty = std::max(plot.box.y - 4, by - canvas.line_height(Style::mono_small) - 2);
  canvas.text({after ? bx + 9 : bx - 9 - width, ty}, Style::mono_small, faded(theme.shared), curve.better_text);
}

}  // namespace

Touch paint_sm_curves(Canvas& canvas, draw::Ui* ui, const Box& box, const SmPicture& picture) {
  Touch touch;
  if (picture.curves.empty() || picture.curves_shown <= 0) return touch;
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(picture.curves_shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  canvas.text({box.x, box.y - 2}, Style::small_caps, faded(theme.second), picture.word_warps, box.width);
  const float top = box.y + 20;
  // As many as can be read.
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.bottom() - top) / 72));
  const std::size_t count = std::min(room, picture.curves.size());
  const float each = (box.bottom() - top) / static_cast<float>(count);
  float y = top;
  for (std::size_t i = 0; i < count; ++i) {
    const SmCurve& curve = picture.curves[i];
    const Plot plot = {{box.x + left_room, y + head_height, box.width - left_room - 8,
                        std::max(12.0f, each - head_height - tick_height - 8)},
                       curve.stops.front(),
                       curve.stops.back(),
                       static_cast<double>(picture.warps_per_sm)};
    const float here = canvas.text_width(Style::mono_small, curve.here);
    const bool roomy = here + canvas.text_width(Style::label, curve.label) + 16 < box.width;
    canvas.text({box.x, y}, Style::label, faded(theme.text), curve.label,
                roomy ? box.width : std::max(60.0f, box.width - here - 8));
    canvas.text({box.right() - 8, y + 1}, Style::mono_small, faded(theme.now), curve.here, box.width - 60,
                Align::right);
    paint_axes(canvas, plot, curve, picture, shown);
    paint_steps(canvas, plot, curve, shown);
    paint_marks(canvas, plot, curve, picture, shown);
    if (ui != nullptr && shown >= 1) {
      const std::size_t last = curve.stops.size() - 1;
      if (const auto stop =
              ui->slider("sm.curve." + curve.control, plot.box, story::step_at(curve.stops, curve.at), last))
        touch.set.emplace_back("sm." + curve.control, curve.stops[*stop]);
      if (ui->hovered(plot.box)) {
        ui->point(plot.box, curve.label);
        ui->tooltip(curve.tip);
      }
    }
    y += each;
  }
  return touch;
}

}  // namespace warpwalk::scenes

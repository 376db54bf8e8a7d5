#pragma once

#include <optional>
#include <string_view>

#include "app/draw/ui.h"
#include "app/pictures/touch.h"
#include "core/story/pictures/panels.h"

namespace warpwalk::scenes {

// Draws the generic pictures. Without `ui` nothing answers to mouse and keys, and all else is the same. `shown` fades a
// picture in: 0 not there, 1 fully there.

/// `now`: the moment on the axis of time, ns since the trace's start.
Touch paint_bars(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::TimelinePicture& picture,
                 const std::optional<std::int64_t>& now = {});
/// A click or a drag sets what the curve is drawn against.
Touch paint_chart(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::ChartPicture& picture,
                  float shown = 1);
Touch paint_cells(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::CellGrid& picture);
Touch paint_table(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::TablePicture& picture);
Touch paint_code(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::CodePicture& picture,
                 float shown = 1);
Touch paint_panels(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Panels& picture);

}  // namespace warpwalk::scenes

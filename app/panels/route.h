#pragma once

#include <vector>

#include "app/draw/ui.h"
#include "core/story/stage/stage.h"

namespace warpwalk::panels {

/// The route from Python to the registers as a breadcrumb, each stop with its value in this trace. Returns the index of
/// the stop that was chosen, or -1.
int route(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const std::vector<story::Stop>& stops);

}  // namespace warpwalk::panels

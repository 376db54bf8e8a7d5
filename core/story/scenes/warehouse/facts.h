#pragma once

#include "core/story/scenes/warehouse/view.h"

namespace warpwalk::story {

/// Adds the facts of a beat, and what the trace lacks for it.
void warehouse_facts(const SceneInput& input, const WarehouseView& view, const Narration::Values& values, Stage& stage);

}  // namespace warpwalk::story

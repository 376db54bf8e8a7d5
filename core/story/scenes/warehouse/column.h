#pragma once

#include "core/story/scenes/warehouse/picture.h"
#include "core/story/scenes/warehouse/view.h"

namespace warpwalk::story {

/// The column beside the map: the request, a tensor, the account, or a block's life.
WarehouseColumn warehouse_column(const SceneInput& input, const WarehouseView& view, const Narration::Values& values);

}  // namespace warpwalk::story

#pragma once

#include <memory>

#include "core/story/scenes/warehouse/picture.h"
#include "core/story/scenes/warehouse/view.h"

namespace warpwalk::story {

/// The picture of one moment.
std::shared_ptr<const WarehousePicture> warehouse_picture(const SceneInput& input, const WarehouseView& view,
                                                          const Narration::Values& values);

}  // namespace warpwalk::story
